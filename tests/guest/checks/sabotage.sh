# Another process repeatedly moves the pages of gable measure to another node, or pins its threads to another CPU: the Samples report
# it and do not enter roofs. Without the process they report nothing.

inside <<'TEXT'
cells='--only pattern=local,op=load,cluster=0 --only pattern=local,op=load,cluster=2 --only pattern=local,op=load,cluster=3 --only pattern=local,op=chase,kind=latency,cluster=0'
one_round /out/none $cells
for what in 'pages 3' 'threads 5'; do
  name=${what% *}
  one_round /out/$name $cells &
  while ! pid=$(pidof gable); do sleep 0.1; done
  saboteur $name $pid ${what#* }
  wait $!
  echo "$name $?" >> /out/status
done
for name in none pages threads; do gable fit /out/$name > /out/$name.txt; done
TEXT
take "$here/one_round:/bin/one_round" "$build/saboteur:/bin/saboteur"

verify_sabotage() {
  same 'how the measurements ended' $'pages 0\nthreads 0' "$(cat "$work/status")"
  local what
  for what in none 'pages 3' 'threads 5'; do
    python3 "$here/sabotage.py" "$work/${what% *}" $what || fail "sabotage: $what"
  done
}
