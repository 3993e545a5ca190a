// Preloaded into the children of the local stack: when the parent dies without a goodbye, so do they.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  // Long enough for the Auth emulator to write its accounts down.
  setTimeout(() => process.exit(1), 10_000).unref()
})
// Watching must not keep a child alive that has nothing else to do.
process.channel?.unref()
