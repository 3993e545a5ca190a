import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'

export type Certificate = { key: Buffer; cert: Buffer }

/**
 * The self-signed certificate for LINE's host names, made once and kept in `directory`.
 * Node can't sign certificates, so this needs the `openssl` program; throws when it is missing.
 */
export function loadCertificate(directory: string): Certificate {
  const keyPath = path.join(directory, 'key.pem')
  const certPath = path.join(directory, 'cert.pem')
  if (!existsSync(keyPath) || !existsSync(certPath)) createCertificate(directory, keyPath, certPath)
  return { key: readFileSync(keyPath), cert: readFileSync(certPath) }
}

function createCertificate(directory: string, keyPath: string, certPath: string): void {
  mkdirSync(directory, { recursive: true })
  const names = ['*.line.me', 'line.me', '*.line-scdn.net', 'localhost'].map(name => `DNS:${name}`).join(',')
  const newKey = `${keyPath}.${process.pid}`
  const newCert = `${certPath}.${process.pid}`
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'],
      ...['-subj', '/CN=LINE emulator', '-addext', `subjectAltName=${names},IP:127.0.0.1`],
      ...['-keyout', newKey, '-out', newCert],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  renameSync(newKey, keyPath)
  renameSync(newCert, certPath)
}
