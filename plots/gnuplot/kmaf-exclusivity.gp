# Pages by exclusivity, rounded to 10 %: bars for their number, points for the accesses to them; 4 KiB and 2 MiB.

load scripts."/common.gp"

set xrange [-6 : 106]
set yrange [0 : 105]
set xtics 10
set ytics 20
set grid noxtics ytics
set xlabel "accesses from the node with the most (%)"
set ylabel "share (%)"
set boxwidth 3.6
set style fill solid 0.75 noborder
set key at graph 0.02,0.97 left top Left reverse samplen 1.2
plot data using (column(col_exclusivity_percent) - 1.9):(column(col_pages_percent_4k)) with boxes linecolor rgb series_colour(0) title "4 KiB pages", \
     data using (column(col_exclusivity_percent) + 1.9):(column(col_pages_percent_2m)) with boxes linecolor rgb series_colour(1) title "2 MiB pages", \
     data using (column(col_exclusivity_percent) - 1.9):(column(col_accesses_percent_4k)) with points pointtype 7 pointsize 0.7 linecolor rgb "#222222" notitle, \
     data using (column(col_exclusivity_percent) + 1.9):(column(col_accesses_percent_2m)) with points pointtype 7 pointsize 0.7 linecolor rgb "#222222" notitle
