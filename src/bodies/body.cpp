#include "bodies/body.h"

namespace fondue {

Body::Body(ColliderSetup setup)
    : setup_(std::move(setup)), sequence_(setup_.shape->sequence()), still_(setup_.still()) {}

float Body::distance(const Vec3& x, double time) const {
  const ShapePtr shape = sequence_ ? sequence_->shape(time) : setup_.shape;
  return shape->distance(pose_at(time).to_local(x));
}

}  // namespace fondue
