import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Certificate, createCertificate } from '../x509.ts'

const hostNames = ['*.line.me', 'line.me', '*.line-scdn.net', 'localhost']

/** Returns a self-signed certificate for LINE's host names. The first call creates it and keeps it in `directory`. */
export function loadCertificate(directory: string): Certificate {
  const file = path.join(directory, 'certificate.json')
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, JSON.stringify(createCertificate('LINE emulator', hostNames)), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Certificate
}
