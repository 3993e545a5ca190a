import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort, readPorts, requireFreePorts } from './ports.ts'

test('each port moves by its own variable and the others stay', () => {
  expect(readPorts({}).storefront).toBe(5173)
  expect(readPorts({ STOREFRONT_PORT: '6000' })).toEqual({ ...readPorts({}), storefront: 6000 })
})

test.each(['abc', '0', '70000', '-1', '80.5'])('"%s" is refused as a port, naming the variable', text => {
  expect(() => readPorts({ API_PORT: text })).toThrow(/API_PORT must be a port number/)
})

test('two parts on one port are refused, naming both variables', () => {
  expect(() => readPorts({ API_PORT: '5173' })).toThrow(/API_PORT and STOREFRONT_PORT are both 5173/)
})

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port taken on %s is named together with the variable that moves it',
  async host => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, host, resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    try {
      await expect(requireFreePorts({ admin: port })).rejects.toThrow(
        new RegExp(`Port ${port} \\(admin\\) is taken by another program.*ADMIN_PORT=\\d+ npm start`),
      )
    } finally {
      await new Promise(resolve => server.close(resolve))
    }
    await expect(requireFreePorts({ admin: port })).resolves.toBeUndefined()
  },
)

test('a free port passes', async () => {
  await expect(requireFreePorts({ api: await findFreePort() })).resolves.toBeUndefined()
})

test('free ports are none that a connection may be lent meanwhile, and none is given twice', async () => {
  const ports: number[] = []
  for (let count = 0; count < 50; count++) ports.push(await findFreePort())
  expect(new Set(ports).size).toBe(50)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})
