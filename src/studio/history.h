#pragma once
// The texts of a scene over its edits, for undo and redo.

#include <string>
#include <vector>

namespace fondue {

class EditHistory {
 public:
  explicit EditHistory(std::string text) : texts_{std::move(text)} {}

  const std::string& text() const { return texts_[now_]; }
  bool can_undo() const { return now_ > 0; }
  bool can_redo() const { return now_ + 1 < texts_.size(); }
  const std::string& before() const { return texts_[now_ - 1]; }
  const std::string& after() const { return texts_[now_ + 1]; }
  void undo() { --now_; }
  void redo() { ++now_; }
  /// What was undone is gone; the oldest text goes when there are too many.
  void add(std::string text) {
    texts_.resize(now_ + 1);
    texts_.push_back(std::move(text));
    if (texts_.size() > most) texts_.erase(texts_.begin());
    now_ = texts_.size() - 1;
  }

 private:
  static constexpr std::size_t most = 500;
  std::vector<std::string> texts_;
  std::size_t now_ = 0;
};

}  // namespace fondue
