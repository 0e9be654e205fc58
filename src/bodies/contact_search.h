#pragma once
// Where rigid bodies touch each other and colliders: points below the surface of one body in the signed distance of the
// other, and the other way round.
//
// The points lie a little below the surface, by a radius r of a hundredth of the body's size, and stand for balls of
// that radius: gap = distance of the point - r. So a body has slightly rounded edges, and where two edges lie upon each
// other the normal is still that of the faces. On curved shapes the few points that are kept slide to where the gap is
// smallest, so that a ball rolls smoothly.
//
// Of all points within reach a few are kept for each direction of the normal: the deepest, and those that span the
// largest area with it. The order of the result depends on the order of the bodies and their points only.

#include <vector>

#include "bodies/body.h"

namespace fondue {

struct BodyContact {
  /// Indices of bodies; the normal points from the second to the first.
  Index first, second;
  Vec3d point, normal;
  /// Negative where they overlap [m].
  double gap;
};

class ContactSearch {
 public:
  ContactSearch(const std::vector<Body>& bodies, int dimension);

  /// How bodies are and move now, as the search sees them.
  struct Moving {
    BodyState state;
    bool dynamic;
    /// Its shape at this moment.
    const Shape* shape;
  };
  /// Contacts of all pairs with a dynamic body that may touch within a step of this length, but those of joined pairs
  /// (indices in increasing order).
  std::vector<BodyContact> find(std::span<const Moving> bodies, std::span<const std::pair<Index, Index>> joined,
                                double seconds) const;

  /// Distance between the contact points of a body [m]; 0: it has none.
  float spacing(std::size_t body) const { return surfaces_[body].spacing; }

 private:
  /// Points that lie close together, within a ball.
  struct Cluster {
    Vec3d centre;
    double radius;
    Index begin, end;
  };
  struct Surface {
    std::vector<Vec3d> points, normals;
    std::vector<Cluster> clusters;
    float spacing = 0, radius = 0;
    /// Its points may be moved along its surface.
    bool curved = false;
    /// Around the origin of its frame; infinite for shapes without end.
    double reach = 0;
  };
  struct Candidate {
    Vec3d point, normal;
    double gap;
  };
  Surface surface_of(const Body& body) const;
  void collect(const Surface& surface, const Moving& own, const Moving& other, double within, bool reversed,
               std::vector<Candidate>& candidates) const;
  void settle(const Surface& surface, const Moving& own, const Moving& other, Vec3d& point, double& gap,
              Vec3d& normal) const;
  std::vector<BodyContact> between(Index first, Index second, std::span<const Moving> bodies, double seconds) const;

  int dimension_;
  std::vector<Surface> surfaces_;
};

}  // namespace fondue
