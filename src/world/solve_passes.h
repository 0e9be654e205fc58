#pragma once
// The passes over vectors of a solve (solve.h), eight slots at a time and the rest of a block one by one. Sums are made
// in the lanes first, so their order does not depend on threads. Included by pair_loops.cpp only, and compiled with it
// for every instruction set.

#include "world/bond_loop.h"
#include "world/pair_loops.h"

namespace fondue::FONDUE_ISA {

namespace {

template <class F>
FONDUE_INLINE LaneVector<F> load_vector(const float* const* from, Index slot) {
  return {load<F>(from[0] + slot), load<F>(from[1] + slot), load<F>(from[2] + slot)};
}

template <class F>
FONDUE_INLINE void store_vector(float* const* to, Index slot, LaneVector<F> vector) {
  store(to[0] + slot, vector.x, lane_count<F>);
  store(to[1] + slot, vector.y, lane_count<F>);
  store(to[2] + slot, vector.z, lane_count<F>);
}

/// Three sums over slots.
template <class F>
struct SlotSums {
  F a = 0.0f, b = 0.0f, c = 0.0f;
};

/// Calls body(first slot, sums) for all slots of a block, with as many sums as it treats slots at once; adds them up.
template <class Body>
FONDUE_INLINE SlotSums<double> over_slots(const Block& block, Body&& body) {
  SlotSums<L> many;
  SlotSums<float> single;
  Index slot = block.begin;
  for (; slot + lane_count<L> <= block.end; slot += lane_count<L>) body(slot, many);
  for (; slot != block.end; ++slot) body(slot, single);
  const auto total = [](L lanes, float rest) { return double{sum_of_lanes(lanes)} + double{rest}; };
  return {total(many.a, single.a), total(many.b, single.b), total(many.c, single.c)};
}

SolveProducts project(const Block& block, const SolveVectors& s, float dt) {
  const SlotSums<double> sums = over_slots(block, [&]<class F>(Index slot, SlotSums<F>& add) {
    const LaneVector<F> w = load_vector<F>(s.direction, slot) - F(dt) * load_vector<F>(s.image, slot);
    store_vector(s.image, slot, w);
    const LaneVector<F> weighted = (load<F>(s.mass + slot) * load<F>(s.inverse_diagonal + slot)) * w;
    add.a += dot(weighted, load_vector<F>(s.residual, slot));
    add.b += dot(weighted, w);
    add.c += dot(weighted, load_vector<F>(s.search_image, slot));
  });
  return {sums.a, sums.b, sums.c};
}

/// Gives slots the velocities that the operator is applied to next.
FONDUE_INLINE void show(Record* records, LaneVector<float> v) {
  records->vx = v.x;
  records->vy = v.y;
  records->vz = v.z;
}
#if FONDUE_LANES != 1
FONDUE_INLINE void show(Record* records, LaneVector<Lanes> v) {
  for (int lane = 0; lane != lane_count<Lanes>; ++lane)
    show(records + lane, LaneVector<float>{v.x[lane], v.y[lane], v.z[lane]});
}
#endif

/// p <- d + conjugation p, and v and r along it; the next direction is the residual over the diagonal. Returns
/// sum m r^2.
double advance(const Block& block, const SolveVectors& s, float along, float conjugation) {
  return over_slots(block,
                    [&]<class F>(Index slot, SlotSums<F>& add) {
                      const F beta = conjugation, alpha = along;
                      const auto turned = [&](const float* const* to, const float* const* old) {
                        return load_vector<F>(to, slot) + beta * load_vector<F>(old, slot);
                      };
                      const LaneVector<F> p = turned(s.direction, s.search), q = turned(s.image, s.search_image);
                      store_vector(s.search, slot, p);
                      store_vector(s.search_image, slot, q);
                      store_vector(s.velocity, slot, load_vector<F>(s.velocity, slot) + alpha * p);
                      const LaneVector<F> r = load_vector<F>(s.residual, slot) - alpha * q;
                      store_vector(s.residual, slot, r);
                      const LaneVector<F> d = load<F>(s.inverse_diagonal + slot) * r;
                      store_vector(s.direction, slot, d);
                      show(s.records + slot, d);
                      add.a += load<F>(s.mass + slot) * dot(r, r);
                    })
      .a;
}

}  // namespace

}  // namespace fondue::FONDUE_ISA
