#pragma once
// Suggestions for misspelled names: the closest known word by edit distance with transpositions (Damerau 1964,
// restricted form). A word that matches a part of a known one ("density" of "rest_density"), or has the same letters in
// a different order, is close too.

#include <span>
#include <string>
#include <string_view>

namespace fondue {

/// "; did you mean 'x'?" for the closest of the known words, else a list of all of them; empty if there are none.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace fondue
