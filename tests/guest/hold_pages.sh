# In a guest: the kernel's own balancing still hides pages, but moves none, until `release_pages`. It moves no page to a node
# whose free memory is below the high watermark, where move_pages(2) only needs the low one.

kib() { sed -n "s/.* $2: *\([0-9]*\) kB/\1/p" /sys/devices/system/node/node$1/meminfo; }

# hold_pages NODE...: the nodes to which none may move
hold_pages() {
  held=$* was_factor=$(cat /proc/sys/vm/watermark_scale_factor)
  for node in $held; do
    mkdir -p /fill/$node
    mount -t tmpfs -o mpol=bind:$node fill /fill/$node
    dd if=/dev/zero of=/fill/$node/data bs=1024 count=$(($(kib $node MemFree) - $(kib $node MemTotal) * 45 / 100)) 2> /dev/null
  done
  echo 3000 > /proc/sys/vm/watermark_scale_factor
}

release_pages() {
  echo $was_factor > /proc/sys/vm/watermark_scale_factor
  for node in $held; do umount /fill/$node; done
}
