#pragma once

// What a label of a chart must not cover: symbols, intervals and arrows, and other labels. In points of the
// page.

#include <string>
#include <vector>

#include "plots/charts/chart.hpp"

namespace gable::charts {

/// On the page, y downwards.
struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool meets(const Box& other) const;
};

/// The boxes of the panel's symbols, vertical intervals and arrows; an arrow has several, along its length.
std::vector<Box> marks_in(const Panel& panel);

/// How many of the panel's lines, straight on the page between their points, lead through the box.
int lines_through(const Panel& panel, const Box& box);

/// The width of 12-point letters, capitals or not, which text_width underestimates where there are many.
double label_width(const std::string& utf8);

/// The box that the letters of the label cover.
Box box_of(const Label& label);

}  // namespace gable::charts
