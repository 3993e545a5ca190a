// Loaded first in each child process of the local stack: it ends the child when the parent process is gone.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  // Long enough for the Auth emulator to write its accounts down.
  setTimeout(() => process.exit(1), 10_000).unref()
})
// An open channel alone would keep a child alive that has nothing else to do.
process.channel?.unref()
