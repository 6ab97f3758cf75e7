#!/bin/bash
# kill-at-checkpoint.sh SIGNAL DIRECTORY COMMAND...
# Starts a training, and sends it a signal, such as KILL, when its directory has
# a checkpoint. It must end by the signal, or with the same status.
signal=$1 directory=$2
shift 2
"$@" &
training=$!
until ls "$directory"/checkpoint-*.safetensors >/dev/null 2>&1 ||
  ! kill -0 $training 2>/dev/null; do
  sleep 0.01
done
kill -$signal $training 2>/dev/null
wait $training
status=$?
# On a slow machine it may have ended by itself.
[ $status -eq $((128 + $(kill -l "$signal"))) ] || [ $status -eq 0 ]
