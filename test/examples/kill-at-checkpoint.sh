#!/bin/bash
# kill-at-checkpoint.sh DIRECTORY COMMAND...
# Starts a training, and kills it when its directory has a checkpoint.
directory=$1
shift
"$@" &
training=$!
until ls "$directory"/checkpoint-*.safetensors >/dev/null 2>&1 ||
  ! kill -0 $training 2>/dev/null; do
  sleep 0.01
done
kill -9 $training 2>/dev/null
wait $training
status=$?
# On a slow machine it may have ended by itself.
[ $status -eq 137 ] || [ $status -eq 0 ]
