import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoLine } from './demo.ts'
import { type RunningLineEmulator, startLineEmulator } from './server.ts'

let directory: string
let line: RunningLineEmulator

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'line-emulator-'))
  line = await startLineEmulator({ port: 0, tlsPort: 0, certificateDirectory: directory })
})
afterEach(async () => {
  await line.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Asks over TLS under one of LINE's names, trusting only the emulator's own certificate. */
function getStatus(host: string, target: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: line.tlsPort, servername: host, path: target, headers: { host }, ca }
    request({ ...options, agent: false }, answer => {
      answer.resume()
      resolve(answer.statusCode!)
    })
      .on('error', reject)
      .end()
  })
}

test('over TLS each of LINE’s hosts answers its own paths and no others, under one lasting certificate', async () => {
  const readCertificate = () =>
    JSON.parse(readFileSync(path.join(directory, 'certificate.json'), 'utf8')).cert as string
  const ca = readCertificate()
  const ask = (host: string, target: string) => getStatus(host, target, ca)
  expect(await ask('api.line.me', '/oauth2/v2.1/certs')).toBe(200)
  expect(await ask('access.line.me', '/oauth2/v2.1/certs')).toBe(404)
  expect(await ask('access.line.me', '/.well-known/openid-configuration')).toBe(200)
  expect(await ask('liff.line.me', `/${demoLine.liffId}/game/rov`)).toBe(302)
  expect(await ask('api.line.me', `/${demoLine.liffId}/game/rov`)).toBe(404)
  await expect(ask('api.example.com', '/oauth2/v2.1/certs')).rejects.toThrow('altnames')
  await line.stop()
  line = await startLineEmulator({ port: 0, tlsPort: 0, certificateDirectory: directory })
  expect(readCertificate()).toBe(ca)
})

test('a taken port is the system’s error, and nothing is left listening', async () => {
  const getPort = ({ origin }: RunningLineEmulator) => Number(new URL(origin).port)
  await expect(startLineEmulator({ port: getPort(line) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const other = await startLineEmulator({ port: 0 })
  const port = getPort(other)
  await other.stop()
  const taken = startLineEmulator({ port, tlsPort: line.tlsPort, certificateDirectory: directory })
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await (await startLineEmulator({ port })).stop()
})
