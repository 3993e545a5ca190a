import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  key: string
  cert: string
}

/** Who signs certificates for others. */
export interface Authority extends Certificate {
  privateKey: KeyObject
  /** Its public key in DER, by which browsers are told to trust it. */
  publicKey: Buffer
  name: string
}

const pem = (label: string, content: Buffer) =>
  `-----BEGIN ${label}-----\n${content
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END ${label}-----\n`

/** An authority that nobody knows but those who are handed its certificate. */
export function createAuthority(name: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const basicConstraints = sequence(oid('551d13'), TRUE, der(0x04, sequence(TRUE)))
  // The bits of keyCertSign and cRLSign.
  const keyUsage = sequence(oid('551d0f'), TRUE, der(0x04, der(0x03, Buffer.from([0x01, 0x06]))))
  const cert = write({ subject: name, issuer: name, publicKey, signedBy: privateKey }, basicConstraints, keyUsage)
  return {
    key: toPem(privateKey),
    cert,
    privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    name,
  }
}

/** A certificate for these host names (and this machine's own address), signed by `authority`, else by itself. */
export function createCertificate(name: string, hostNames: readonly string[], authority?: Authority): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(...hostNames.map(host => der(0x82, Buffer.from(host))), der(0x87, Buffer.from([127, 0, 0, 1])))
  const cert = write(
    { subject: name, issuer: authority?.name ?? name, publicKey, signedBy: authority?.privateKey ?? privateKey },
    sequence(oid('551d11'), der(0x04, names)),
  )
  return { key: toPem(privateKey), cert }
}

const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

interface Subject {
  subject: string
  issuer: string
  publicKey: KeyObject
  signedBy: KeyObject
}

/** Node signs but does not write certificates, and `openssl` is not on every machine: so the DER is put together here. */
function write({ subject, issuer, publicKey, signedBy }: Subject, ...extensions: Buffer[]): string {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)])
  const year = new Date().getUTCFullYear()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(toUtcTime(year - 1), toUtcTime(year + 10)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signedBy))
  return pem('CERTIFICATE', sequence(body, ecdsaWithSha256, signature))
}

const commonName = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengthBytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const TRUE = der(0x01, Buffer.from([0xff]))

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function toUtcTime(year: number): Buffer {
  return der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))
}
