// A process that passes bytes on to a service, so that killing it breaks the connections in the middle of an answer, while
// the service keeps its books: `node relay.ts <own port> <port of the service>`.
import { createServer } from 'node:net'
import { passOn } from '../listen.ts'

const [ownPort, port] = process.argv.slice(2).map(Number) as [number, number]

createServer(near => passOn(near, port)).listen(ownPort, '127.0.0.1')
