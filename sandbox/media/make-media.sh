#!/usr/bin/env bash
# Makes the clips and samples of this folder again, byte for byte, with ffmpeg 5.1 (libx264 and librsvg).
set -euo pipefail
cd "$(dirname "$0")"

for size in 864x496 496x864 640x640 1280x720 720x1280 960x960 1920x1080 1080x1920 1440x1440; do
  width=${size%x*} height=${size#*x}
  ffmpeg -y -v error \
    -f lavfi -i "color=c=0x7f9fc4:s=$size:r=24" \
    -f lavfi -i "color=c=0x24344d:s=${width}x$((height / 12)):r=24" \
    -f lavfi -i "color=c=0xf4f1e8:s=${width}x$((height / 12)):r=24" \
    -filter_complex "[0][1]overlay=y=H*0.8[card];[card][2]overlay=x='W*(n+1)/120-W':y=H*0.8" \
    -frames:v 120 -c:v libx264 -profile:v baseline -level 4.0 -pix_fmt yuv420p -preset veryslow -crf 30 -g 60 \
    -x264-params threads=1:scenecut=0 -bsf:v filter_units=remove_types=6 -flags +bitexact+global_header -fflags bitexact \
    -movflags faststart -use_editlist 0 -video_track_timescale 120 "$size.mp4"
done

for picture in portrait landscape; do
  ffmpeg -y -v error -i "$picture.svg" -pix_fmt rgb24 -frames:v 1 -compression_level 100 -pred mixed -fflags bitexact "$picture.png"
done
ffmpeg -y -v error -f lavfi -i "sine=frequency=440:sample_rate=8000:duration=3" \
  -af "volume=4,afade=d=0.5,afade=t=out:st=2.5:d=0.5" -c:a pcm_u8 -fflags bitexact tone.wav
