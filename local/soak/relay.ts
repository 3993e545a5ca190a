// A process that passes bytes on to a service, so that killing it breaks the connections in the middle of an answer, while
// the service keeps its books: `node relay.ts <own port> <port of the service>`.
import { connect, createServer } from 'node:net'

const [ownPort, port] = process.argv.slice(2).map(Number) as [number, number]

createServer(near => {
  const far = connect(port, '127.0.0.1')
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}).listen(ownPort, '127.0.0.1')
