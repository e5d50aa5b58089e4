# What all charts share. Before it is loaded, these are set: scripts, data, format, output, width, height, left, right,
# top, bottom, title_text, subtitle_text, note_text, note_more (its second line), and col_NAME for each column of the table.

set encoding utf8
set datafile separator "\t"
set datafile columnheaders
set datafile commentschars ""
set datafile missing NaN

if (format eq "svg") set terminal svg size width,height background "white" noenhanced font "sans-serif,12" linewidth 1
if (format eq "png") set terminal pngcairo size 1.5*width,1.5*height noenhanced font "sans-serif,12" fontscale 1.125 linewidth 1.5 pointscale 1.5 dashlength 1.5
if (format eq "pdf") set terminal pdfcairo size width/72.0,height/72.0 noenhanced font "sans-serif,12" fontscale 1 linewidth 1
set output output

set lmargin at screen left
set rmargin at screen right
set tmargin at screen top
set bmargin at screen bottom
set label 1 title_text at screen 16.0/width, 1-22.0/height left font "sans-serif,16"
set label 2 subtitle_text at screen 16.0/width, 1-46.0/height left textcolor rgb "#444444"
note_lines = strlen(note_more) > 0 ? 2 : 1
if (strlen(note_text) > 0) set label 3 note_text at screen 16.0/width, (1.0 + 13 * note_lines)/height left font "sans-serif,10" textcolor rgb "#444444"
if (note_lines == 2) set label 4 note_more at screen 16.0/width, 14.0/height left font "sans-serif,10" textcolor rgb "#444444"
unset key
set format "%g"
set border 3 linecolor rgb "#444444"
set tics nomirror out textcolor rgb "#222222"
set grid back linetype 1 linewidth 0.6 linecolor rgb "#dddddd"
set style textbox opaque noborder

# Colours after Okabe and Ito, darkened where text has to be read in them: told apart with any colour vision, and by
# their dashes in grey. One for each pattern; HBM is darker and wider, NVM and CXL are thinner.
patterns = "cache local local_all remote contended congested core hybrid"
tiers = "DRAM HBM NVM CXL"
base_colours = "#222222 #0072b2 #1f87bd #00805e #c24e00 #a8437f #555555 #5d3fb3"
series_colours = "#0072b2 #c24e00 #00805e #a8437f #222222 #1f87bd #8a6d00 #7a3b00"
set dashtype 11 solid
set dashtype 12 solid
set dashtype 13 (18,5)
set dashtype 14 (9,5)
set dashtype 15 (2,4)
set dashtype 16 (11,4,2,4)
set dashtype 17 solid
set dashtype 18 (14,3,3,3,3,3)

place(list, name) = (at_ = 0, sum [k_=1:words(list)] (word(list, k_) eq name ? (at_ = k_) : 0), at_)
rgb(text) = int("0x".substr(text, 2, 7))
darker(c) = 65536 * int((c / 65536) * 0.6) + 256 * int((c / 256 % 256) * 0.6) + int((c % 256) * 0.6)
colour_of(p, t) = t == 2 ? darker(rgb(word(base_colours, p))) : rgb(word(base_colours, p))
width_of(t) = t == 2 ? 2.4 : t == 3 ? 1.0 : t == 4 ? 1.3 : 1.8
hex(c) = sprintf("#%06x", c)

pattern_number(name) = place(patterns, name) > 0 ? place(patterns, name) : 1
tier_number(name) = place(tiers, name) > 0 ? place(tiers, name) : 1
colour(pattern, tier) = colour_of(pattern_number(pattern), tier_number(tier))
series_colour(s) = rgb(word(series_colours, int(s) % words(series_colours) + 1))
