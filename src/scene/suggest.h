#pragma once
// What the user may have meant: the nearest known word, by edit distance with transpositions (Damerau 1964, restricted
// form). A word that matches a part of a known one ("density" of "rest_density"), or has the same letters in another
// order, is near too.

#include <span>
#include <string>
#include <string_view>

namespace fondue {

/// "; did you mean 'x'?" for the nearest of the known words, else a list of them all; empty if none is known.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace fondue
