// Iterations of the solve whose directions come from coarse levels; see solve.h and coarse_levels.h.

#include <algorithm>

#include "world/coarse_levels.h"
#include "world/solve_sums.h"

namespace fondue {

namespace {

constexpr const char* levels_state_key = "solve.steps with levels";

}  // namespace

/// P of the header, P w of the direction's image w, and P q of the last search's.
struct VelocitySolve::Levels {
  CoarseLevels coarse;
  CoarseLevels::Matter matter;
  Vectors image, search_image;
};

VelocitySolve::VelocitySolve() : levels_(std::make_unique<Levels>()) {}
VelocitySolve::VelocitySolve(VelocitySolve&&) noexcept = default;
VelocitySolve& VelocitySolve::operator=(VelocitySolve&&) noexcept = default;
VelocitySolve::~VelocitySolve() = default;

void VelocitySolve::begin_levels(const Problem& p) {
  Levels& levels = *levels_;
  const Slots slots = p.neighbourhood.slots();
  const auto R = p.particles[columns::support];
  levels.matter.records = std::span<const Record>(records_).first(slots.end);
  levels.matter.mass = mass_.data();
  levels.matter.inverse_diagonal = diagonal_.data();
  for (std::size_t k = 0; k != 6; ++k) levels.matter.walls[k] = walls_[k].data();
  levels.matter.dt = p.dt;
  levels.matter.support = *std::max_element(R.begin(), R.end());
  levels.coarse.prepare(levels.matter);
  levels.image.resize(records_.size());
  levels.search_image.resize(records_.size());
  for (auto* component : {&levels.search_image.x, &levels.search_image.y, &levels.search_image.z})
    std::fill(component->begin(), component->end(), 0.0f);
  search_square_ = 0;
  const SolveVectors all = vectors();
  levels.coarse.add(levels.matter, all.residual, all.direction);
  parallel_for(
      slots.end, [&](std::size_t k) { show(records_[k], direction_[k]); }, 4096);
}

double VelocitySolve::minimise_with_levels(const Problem& p) {
  const std::span<const Block> blocks = p.neighbourhood.blocks();
  PairSpace space = p.neighbourhood.pair_space();
  space.records = records_.data();
  Vectors *const d = &direction_, *const w = &image_, *const Pw = &levels_->image, *const Pq = &levels_->search_image;
  parallel_chunks(blocks.size(), [&](std::size_t b) {
    const Index begin = blocks[b].begin, end = blocks[b].end;
    p.neighbourhood.loops().multiply(space, blocks[b], coefficients(b),
                                     {w->x.data() + begin, w->y.data() + begin, w->z.data() + begin});
    const auto component = [&](float* of_w, float* of_Pw, const float* of_d) {
      for (Index k = begin; k != end; ++k) {
        of_w[k] = mass_[k] > 0 ? of_d[k] - p.dt * of_w[k] : 0.0f;
        of_Pw[k] = diagonal_[k] * of_w[k];
      }
    };
    component(w->x.data(), Pw->x.data(), d->x.data());
    component(w->y.data(), Pw->y.data(), d->y.data());
    component(w->z.data(), Pw->z.data(), d->z.data());
  });
  const float* const image[3] = {w->x.data(), w->y.data(), w->z.data()};
  float* const level_image[3] = {Pw->x.data(), Pw->y.data(), Pw->z.data()};
  levels_->coarse.add(levels_->matter, image, level_image);
  const SolveProducts products = sum_over_blocks<SolveProducts>(
      blocks.size(),
      [&](std::size_t b) {
        SolveProducts sum;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          const double m = mass_[k];
          const Vec3 Pw_k = (*Pw)[k], w_k = (*w)[k];
          sum.residual_image += m * static_cast<double>(residual_[k].dot(Pw_k));
          sum.image_image += m * static_cast<double>(w_k.dot(Pw_k));
          sum.image_search += m * static_cast<double>(w_k.dot((*Pq)[k]));
        }
        return sum;
      },
      add_products);
  const Search search = next_search(products);
  const auto along = static_cast<float>(search.along), conjugation = static_cast<float>(search.conjugation);
  return sum_over_blocks<double>(
      blocks.size(),
      [&](std::size_t b) {
        double sum = 0;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          const Vec3 direction = (*d)[k] + conjugation * search_[k], q = (*w)[k] + conjugation * search_image_[k],
                     level_q = (*Pw)[k] + conjugation * (*Pq)[k];
          search_.set(k, direction);
          search_image_.set(k, q);
          Pq->set(k, level_q);
          v_.set(k, v_[k] + along * direction);
          const Vec3 r = residual_[k] - along * q, next = (*d)[k] - along * level_q;
          residual_.set(k, r);
          d->set(k, next);
          show(records_[k], next);
          sum += static_cast<double>(mass_[k]) * static_cast<double>(r.squaredNorm());
        }
        return sum;
      },
      [](double& sum, double part) { sum += part; });
}

void VelocitySolve::save(std::map<std::string, std::vector<double>>& state) const {
  if (steps_with_levels_ != 0) state[levels_state_key] = {static_cast<double>(steps_with_levels_), iterations_saved_};
}

void VelocitySolve::restore(const std::map<std::string, std::vector<double>>& state) {
  const auto saved = state.find(levels_state_key);
  if (saved == state.end() || saved->second.size() != 2) return;
  steps_with_levels_ = static_cast<int>(saved->second[0]);
  iterations_saved_ = saved->second[1];
}

}  // namespace fondue
