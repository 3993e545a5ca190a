import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One machine's Patroni, as far as it tells how its PostgreSQL does. */
export interface FakePatroni {
  url: string
  host: string
  /** What it answers; seconds since it last reached etcd, and how far its clock is ahead. */
  told: {
    role: 'primary' | 'replica'
    state: string
    replicationState?: string
    isUnlocked?: boolean
    position: number
    unseenSeconds: number
    aheadSeconds: number
    isSilent?: boolean
  }
  stop(): Promise<void>
}

export async function startPatroni(role: 'primary' | 'replica'): Promise<FakePatroni> {
  const told: FakePatroni['told'] = { role, state: 'running', position: 1000, unseenSeconds: 2, aheadSeconds: 0 }
  const server = createServer((request, response) => {
    if (told.isSilent) return
    const now = Date.now() + told.aheadSeconds * 1000
    response.sendDate = false
    response.setHeader('date', new Date(now).toUTCString())
    const body = {
      state: told.state,
      role: told.role,
      ...(told.role === 'primary'
        ? { xlog: { location: told.position } }
        : {
            xlog: { received_location: told.position, replayed_location: told.position },
            replication_state: told.replicationState ?? 'streaming',
          }),
      ...(told.isUnlocked && { cluster_unlocked: true }),
      dcs_last_seen: Math.floor(now / 1000) - told.unseenSeconds,
    }
    response.writeHead(request.url === '/patroni' ? 200 : 404).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    told,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
