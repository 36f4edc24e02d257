#!/bin/sh
# The program that workers of the transport `process` run for their task. It speaks the line protocol of the process
# driver that they carry: a task on standard input, a line per event on standard output.
#
# What it does is chosen by a word in the task: HANG waits to be interrupted, FAILNOW fails, else it answers.

if [ "$1" = --version ]; then
  echo 'fixture-harness 1.0.0'
  exit 0
fi

# A task that came from another session is wrapped in a marker of several lines.
IFS= read -r task
case $task in
'<untrusted-content'*)
  wrapped=
  while IFS= read -r line && [ "$line" != '</untrusted-content>' ]; do
    wrapped="$wrapped $line"
  done
  task=$wrapped
  ;;
esac

echo 'started interop-1'
case $task in
*HANG*)
  while IFS= read -r line; do
    if [ "$line" = interrupt ]; then
      echo 'fail canceled told to stop'
      exit 0
    fi
  done
  ;;
*FAILNOW*)
  echo 'fail other the worker was told to fail'
  ;;
*)
  echo 'text done'
  echo "end the worker was asked:$task"
  ;;
esac
