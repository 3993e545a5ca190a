import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

const hostNames = ['*.line.me', 'line.me', '*.line-scdn.net', 'localhost']

/** The self-signed certificate for LINE's host names, made once and kept in `directory`. */
export function loadCertificate(directory: string): Certificate {
  const file = path.join(directory, 'certificate.json')
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, JSON.stringify(createCertificate()), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Certificate
}

/** Node signs but does not write certificates, and `openssl` is not on every machine: so the DER is put together here. */
function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('LINE emulator')))))
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)])
  const year = new Date().getUTCFullYear()
  const validity = sequence(toUtcTime(year - 1), toUtcTime(year + 10))
  const names = sequence(...hostNames.map(host => der(0x82, Buffer.from(host))), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = der(0xa3, sequence(sequence(oid('551d11'), der(0x04, names))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function toUtcTime(year: number): Buffer {
  return der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))
}
