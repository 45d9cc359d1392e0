#!/usr/bin/env bash
# The program that both loops run: reads its prompt, changes a file, reports. It is instant unless its room says else:
#   pace     seconds that it works
#   hold/N   iteration N stays as long as this file exists, and says so in held/N
begun=$EPOCHREALTIME
room=${0%/*}
out=${LOOPWRIGHT_PATHS%/*}/out
IFS= read -r -d '' prompt

printf '%s\n' "$LOOPWRIGHT_ITERATION" >work.txt
if [[ -e $room/pace ]]; then sleep "$(<"$room/pace")"; fi
if [[ -e $room/hold/$LOOPWRIGHT_ITERATION ]]; then
  : >"$room/held/$LOOPWRIGHT_ITERATION"
  while [[ -e $room/hold/$LOOPWRIGHT_ITERATION ]]; do sleep 0.1; done
fi
printf '{"schema_version":1,"attempt_id":"%s","summary":"Read %s characters.","recommended_action":"Go on"}\n' \
  "$LOOPWRIGHT_ATTEMPT" "${#prompt}" >"$out/report.json"
printf '%s %s\n' "$begun" "$EPOCHREALTIME" >>"$room/times"
