import { uidOfLine } from '@shop/shared/account/account.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { projectId } from './firebase-emulators.ts'

export const DEMO_PASSWORD = 'demo-1234'

export interface DemoAccount {
  uid: string
  email: string
  displayName: string
  role: Role
  /** true: active; false: inactive; null: waits to be activated. */
  isActive: boolean | null
  /** Whether the owner has changed the password and the PIN that staff gave out. Until then the app asks for it. */
  hasChangedPassword: boolean
  hasChangedPin: boolean
}

const base = { isActive: true, hasChangedPassword: true, hasChangedPin: true }

export const demoAccounts: readonly DemoAccount[] = [
  { ...base, uid: 'demo-admin', email: 'admin@demo.shop', displayName: 'สมชาย แอดมิน', role: 'admin' },
  { ...base, uid: 'demo-manager', email: 'manager@demo.shop', displayName: 'วิภา ผู้จัดการ', role: 'manager' },
  { ...base, uid: 'demo-manager2', email: 'manager2@demo.shop', displayName: 'ธนา ผู้จัดการ', role: 'manager' },
  { ...base, uid: 'demo-staff', email: 'staff@demo.shop', displayName: 'มานี พนักงาน', role: 'staff' },
  { ...base, uid: 'demo-staff2', email: 'staff2@demo.shop', displayName: 'กานต์ พนักงาน', role: 'staff' },
  { ...base, uid: 'demo-accountant', email: 'accountant@demo.shop', displayName: 'สุดา ฝ่ายบัญชี', role: 'accountant' },
  { ...base, uid: 'demo-agent', email: 'agent@demo.shop', displayName: 'ปิติ ตัวแทนทอง', role: 'agent' },
  { ...base, uid: 'demo-agent2', email: 'agent2@demo.shop', displayName: 'ชูใจ ตัวแทนเงิน', role: 'agent' },
  {
    ...base,
    uid: 'demo-newagent',
    email: 'newagent@demo.shop',
    displayName: 'วีระ ตัวแทนใหม่',
    role: 'agent',
    hasChangedPassword: false,
    hasChangedPin: false,
  },
  { ...base, uid: 'demo-customer', email: 'customer@demo.shop', displayName: 'ใจดี ลูกค้า', role: 'customer' },
  {
    ...base,
    uid: 'demo-pending',
    email: 'pending@demo.shop',
    displayName: 'รอดี รอเปิดใช้งาน',
    role: 'customer',
    isActive: null,
  },
  {
    ...base,
    uid: 'demo-inactive',
    email: 'inactive@demo.shop',
    displayName: 'สมหญิง ถูกระงับ',
    role: 'customer',
    isActive: false,
  },
]

const regulars = [
  'ณัฐ วงศ์ดี',
  'พิมพ์ชนก แสงทอง',
  'ธีรภัทร ศรีสุข',
  'กมลวรรณ ใจงาม',
  'ภูริ เกมเมอร์',
  'ศศิธร พูลทรัพย์',
  'อนุชา รุ่งเรือง',
  'มินตรา เพชรดี',
  'ปกรณ์ ทองแท้',
  'วริศรา บุญมา',
  'จิรายุ สายลุย',
  'เบญจมาศ น้อยใจ',
]

/** Every third of them came by LINE: such an account has neither an address nor a password. */
const lineUidOf = (nth: number): string => uidOfLine(`Ud${String(nth).padStart(31, '0')}`)

/** An account that came by LINE has no address. */
type DemoRegular = Omit<DemoAccount, 'email'> & { email: string | null }

/** Who else buys in the demo shop, the most faithful first; those with an address sign in like the accounts above. */
export const demoRegulars: readonly DemoRegular[] = regulars.map((displayName, index) => {
  const nth = index + 1
  const isFromLine = nth % 3 === 0
  return {
    ...base,
    uid: isFromLine ? lineUidOf(nth) : `demo-regular${nth}`,
    email: isFromLine ? null : `regular${nth}@demo.shop`,
    displayName,
    role: 'customer',
  }
})

/** The uid of one of them, counted from 1. */
export const regular = (nth: number): string => demoRegulars[nth - 1]!.uid

/**
 * Creates the demo accounts in the Auth emulator (`host:port`). Accounts that exist stay as they are, so that a changed
 * password outlives a restart. The inactive account is disabled there, as the shop's server does it.
 */
export async function seedAuthAccounts(authEmulatorHost: string): Promise<void> {
  const byAddress = [...demoAccounts, ...demoRegulars].filter((each): each is DemoAccount => each.email !== null)
  await Promise.all(byAddress.map(account => createAccount(authEmulatorHost, account)))
}

async function createAccount(host: string, account: DemoAccount): Promise<void> {
  const created = await post(host, `projects/${projectId}/accounts`, {
    localId: account.uid,
    email: account.email,
    displayName: account.displayName,
    password: DEMO_PASSWORD,
    emailVerified: true,
    disabled: account.isActive === false,
  })
  if (!created) return
  await post(host, `projects/${projectId}/accounts:update`, {
    localId: account.uid,
    customAttributes: JSON.stringify({
      role: account.role,
      ispasswordchange: account.hasChangedPassword,
      ispinchange: account.hasChangedPin,
    }),
  })
}

/** Returns false when the account exists already. */
async function post(host: string, path: string, body: unknown): Promise<boolean> {
  const response = await fetch(`http://${host}/identitytoolkit.googleapis.com/v1/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return true
  const text = await response.text()
  if (/DUPLICATE_LOCAL_ID|EMAIL_EXISTS/.test(text)) return false
  throw new Error(`The Auth emulator refused ${path}: ${text}`)
}
