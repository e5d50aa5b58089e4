# Applications: a symbol with its interval and its name beside it; an arrow out of the picture for one that lies far from
# all roofs. Their figures and names are variables, since a table cannot carry every name.

# Names stand on white, so that roofs do not cross them out.
set style textbox 1 opaque noborder margins 0.4,0.2
symbols = "5 9 13 11 15 4 8 12 10 14"
of(what, i) = value(sprintf("point_%s_%d", what, i))
do for [i=1:int(points)] {
  shade = hex(series_colour(i - 1))
  symbol = int(word(symbols, (i - 1) % words(symbols) + 1))
  if (of("outside", i) > 0) {
    set arrow 1000 + 3 * i from of("out_x", i),of("out_y", i) to of("x", i),of("y", i) head filled size screen 0.011,22 front linewidth 2 linecolor rgb shade
  } else {
    # No cap where the interval goes on beyond the frame.
    if (of("below", i) == 0 && of("above", i) == 0) {
      set arrow 1000 + 3 * i from of("x", i),of("lo", i) to of("x", i),of("hi", i) heads size screen 0.004,90 front linewidth 1.2 linecolor rgb shade
    } else { if (of("above", i) == 0) {
      set arrow 1000 + 3 * i from of("x", i),of("lo", i) to of("x", i),of("hi", i) head size screen 0.004,90 front linewidth 1.2 linecolor rgb shade
    } else { if (of("below", i) == 0) {
      set arrow 1000 + 3 * i from of("x", i),of("lo", i) to of("x", i),of("hi", i) backhead size screen 0.004,90 front linewidth 1.2 linecolor rgb shade
    } else {
      set arrow 1000 + 3 * i from of("x", i),of("lo", i) to of("x", i),of("hi", i) nohead front linewidth 1.2 linecolor rgb shade
    } } }
    set arrow 1001 + 3 * i from of("x", i),of("y", i) to of("label_x", i),of("label_y", i) nohead front linewidth 0.6 linecolor rgb shade
    set label 1000 + 2 * i "" at of("x", i),of("y", i) point pointtype symbol pointsize 1.1 linecolor rgb shade front
  }
  if (of("arrow", i) > 0) {
    set arrow 1002 + 3 * i from of("from_x", i),of("from_y", i) to of("to_x", i),of("to_y", i) head filled size screen 0.011,22 front linewidth 2 linecolor rgb shade
  }
  tag = 1001 + 2 * i
  name = of("name", i)
  if (of("left", i) > 0) {
    set label tag name at of("label_x", i),of("label_y", i) right textcolor rgb shade front boxed bs 1
  } else {
    set label tag name at of("label_x", i),of("label_y", i) left textcolor rgb shade front boxed bs 1
  }
}
