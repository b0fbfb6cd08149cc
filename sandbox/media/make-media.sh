#!/usr/bin/env bash
# Makes the clips and samples of this folder again, byte for byte, with ffmpeg 5.1 (libx264 and librsvg).
set -euo pipefail
cd "$(dirname "$0")"

layers=()
for layer in sky sun far middle near; do layers+=(-loop 1 -framerate 24 -i "$layer.svg"); done
for size in 864x496 496x864 640x640 1280x720 720x1280 960x960 1920x1080 1080x1920 1440x1440; do
  width=${size%x*} height=${size#*x}
  wide=$((width * 5 / 4 / 2 * 2)) sun=$(((width < height ? width : height) / 8 * 2))
  ffmpeg -y -v error "${layers[@]}" \
    -filter_complex "[0]scale=$width:$height[sky];[1]scale=$sun:$sun[sun];
      [2]scale=$wide:$((height * 45 / 100))[far];[3]scale=$wide:$((height * 35 / 100))[middle];[4]scale=$wide:$((height * 30 / 100))[near];
      [sky][sun]overlay=x='W*0.62-w/2':y='H*0.62-h/2-trunc(n*H/480)':format=yuv420[risen];
      [risen][far]overlay=y='H*0.88-h'[a];[a][middle]overlay=x='-trunc(n/2)':y='H*0.96-h'[b];[b][near]overlay=x='-n':y='H-h'" \
    -frames:v 120 -c:v libx264 -profile:v baseline -level 4.0 -pix_fmt yuv420p -preset veryslow -crf 42 -g 60 \
    -x264-params threads=1:scenecut=0 -bsf:v filter_units=remove_types=6 -flags +bitexact+global_header -fflags bitexact \
    -movflags faststart -use_editlist 0 -video_track_timescale 120 "$size.mp4"
done

for picture in portrait landscape; do
  ffmpeg -y -v error -i "$picture.svg" -pix_fmt rgb24 -frames:v 1 -compression_level 100 -pred mixed -fflags bitexact "$picture.png"
done
ffmpeg -y -v error -f lavfi -i "sine=frequency=440:sample_rate=8000:duration=3" \
  -af "volume=4,afade=d=0.5,afade=t=out:st=2.5:d=0.5" -c:a pcm_u8 -fflags bitexact tone.wav
