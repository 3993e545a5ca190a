// Preloaded into the children of the local stack: when the parent dies without a goodbye, so do they.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), 3000).unref()
})
// Watching must not keep a child alive that has nothing else to do.
process.channel?.unref()
