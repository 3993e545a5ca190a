import { type AccessList, listAccess } from '@shop/shared/account/access-endpoints.ts'
import { updateUser } from '@shop/shared/account/endpoints.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import {
  type CreditView,
  getCredit,
  giveWithdrawalPayee,
  listCreditMoves,
  withdrawCredit,
} from '@shop/shared/credit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { listWaitingOrders } from '@shop/shared/order/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { person as customer, fake, refuse } from '@shop/web/testing.tsx'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { api } from '../api.ts'
import { Guard } from '../frame/guard.tsx'
import { write } from '../storage.ts'
import { InShop, noCredit } from '../testing.tsx'
import { agent, wallet } from '../wallet/testing.ts'
import ProfileScreen from './profile-screen.tsx'
import { startServer } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))

vi.mock('./password.ts', () => ({ getSecondsSinceProof: async () => 0 }))

const server = startServer()

const open = (path: string) =>
  render(
    <InShop at={path}>
      <Routes>
        <Route
          path="/user/:uid"
          element={
            <Guard allow="account.own">
              <ProfileScreen />
            </Guard>
          }
        />
        <Route
          path="/wallet"
          element={
            <Guard allow="wallet.own">
              <p>กระเป๋าเงินของฉัน</p>
            </Guard>
          }
        />
        <Route
          path="/game"
          element={
            <Guard allow="catalogue.browse">
              <button type="button" onClick={() => void api.call(listWaitingOrders).catch(() => undefined)}>
                เลือกเกม
              </button>
            </Guard>
          }
        />
        <Route path="/login" element={<p>หน้าเข้าสู่ระบบ</p>} />
      </Routes>
    </InShop>,
  )

const menu = () => within(screen.getByRole('navigation', { name: 'บัญชีของฉัน' }))
const openRows = () =>
  menu()
    .queryAllByRole('link')
    .map(link => link.textContent)

test.each(['/game', '/wallet', '/user/u1?panel=info'])(
  'whoever must change the password can, from %s, do nothing else',
  async path => {
    write('user', { ...agent, mustChangePassword: true, mustChangePin: true })
    open(path)
    expect(await screen.findByText('กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน')).toBeTruthy()
    expect(openRows()).toEqual(['เปลี่ยนรหัสผ่าน'])
    expect(await screen.findByLabelText('รหัสผ่านปัจจุบัน')).toBeTruthy()
    expect(screen.queryByLabelText('เบอร์โทรศัพท์')).toBeNull()
  },
)

test('after the password the PIN is forced, and a right change sets the person free', async () => {
  server.use(fake(changePin, () => agent))
  write('user', { ...agent, mustChangePin: true })
  open('/wallet')
  expect(await screen.findByText('กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน')).toBeTruthy()
  expect(openRows()).toEqual(['เปลี่ยน PIN'])
  await userEvent.type(await screen.findByLabelText('PIN เดิม'), '1234')
  await userEvent.type(screen.getByLabelText('PIN ใหม่'), '4821')
  await userEvent.type(screen.getByLabelText('ยืนยัน PIN ใหม่'), '4821')
  await userEvent.click(screen.getByRole('button', { name: 'เปลี่ยน PIN' }))
  expect(await screen.findByRole('button', { name: 'เลือกเกม' })).toBeTruthy()
})

test.each([
  ['PASSWORD_CHANGE_REQUIRED', 'กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน'],
  ['PIN_CHANGE_REQUIRED', 'กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน'],
] as const)('the server’s %s on any page brings up the forced panel', async (code, warning) => {
  server.use(fake(listWaitingOrders, refuse(code)))
  write('user', agent)
  open('/game')
  await userEvent.click(await screen.findByRole('button', { name: 'เลือกเกม' }))
  expect(await screen.findByText(warning)).toBeTruthy()
})

test('a wrong old PIN is told at its field, a locked one with the time', async () => {
  const answers = [refuse('OLD_PIN_WRONG'), refuse('PIN_LOCKED', { values: { time: '14:16 น.' } })]
  server.use(fake(changePin, () => answers.shift()!()))
  write('user', agent)
  open('/user/u1?panel=pin')
  const change = async () => {
    await userEvent.type(screen.getByLabelText('PIN เดิม'), '0000')
    await userEvent.click(screen.getByRole('button', { name: 'เปลี่ยน PIN' }))
  }
  await userEvent.type(await screen.findByLabelText('PIN ใหม่'), '4821')
  await userEvent.type(screen.getByLabelText('ยืนยัน PIN ใหม่'), '4821')
  await change()
  expect(await screen.findByText('PIN เดิมไม่ถูกต้อง')).toBeTruthy()
  expect(screen.getByLabelText('PIN เดิม').getAttribute('aria-invalid')).toBe('true')
  await change()
  expect(await screen.findByText(/ลองใหม่ได้ตั้งแต่ 14:16 น./)).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'ติดต่อแอดมิน' })).toBeTruthy()
})

test('a lock of the PIN is told on the profile, too', async () => {
  const lock = { at: '2026-11-20T06:50:00.000Z', until: null, isHolding: true }
  server.use(fake(getWallet, () => ({ ...wallet, pin: { wrongTries: 0, wrongToday: 5, lock } })))
  write('user', agent)
  open('/user/u1')
  expect(await screen.findByText(/PIN ถูกล็อกเมื่อ 20 พ.ย. · 13:50 น./)).toBeTruthy()
  expect(screen.getByText('กรุณาติดต่อร้านเพื่อตั้ง PIN ใหม่')).toBeTruthy()
})

test('each account has the rows that fit it', async () => {
  write('user', { ...customer, providers: ['line'] })
  const { unmount } = open('/user/u1')
  await screen.findByText('น้ำข้าว ใจดี')
  expect(openRows()).toEqual(['ข้อมูลผู้ใช้', 'เครดิตร้าน', 'ช่องทางเข้าสู่ระบบ', 'ข้อมูลของฉัน'])
  unmount()
  write('user', agent)
  open('/user/u1')
  await screen.findByText('น้ำข้าว ใจดี')
  expect(openRows()).toEqual(['ข้อมูลผู้ใช้', 'เปลี่ยนรหัสผ่าน', 'เปลี่ยน PIN', 'ช่องทางเข้าสู่ระบบ', 'ข้อมูลของฉัน'])
})

const credit: CreditView = { ...noCredit, balanceSatang: 1500_00 }
const withPin: CreditView = { ...credit, pin: { wrongTries: 0, wrongToday: 0, lock: null } }
const moves = [
  { id: crypto.randomUUID(), at: credit.nowDate, move: 'held', amountSatang: -100_00, orderNo: 'KT2611-00000002' },
  { id: crypto.randomUUID(), at: credit.nowDate, move: 'refund', amountSatang: 1600_00, orderNo: 'KT2611-00000001' },
]

test('shop credit says how much, what moved it, and sets the first PIN without an old one', async () => {
  const sent: unknown[] = []
  server.use(
    fake(getCredit, () => credit),
    fake(listCreditMoves, () => ({ rows: moves as never, next: null })),
    fake(changePin, body => {
      sent.push(body)
      return customer
    }),
  )
  write('user', customer)
  open('/user/u1?panel=credit')
  expect(await screen.findByText('ใช้กับคำสั่งซื้อ')).toBeTruthy()
  expect(document.body.textContent).toContain('1,500.00')
  expect(screen.getByRole('link', { name: 'KT2611-00000001' })).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'ตั้ง PIN' }))
  await userEvent.type(await screen.findByLabelText('PIN ใหม่'), '4821')
  expect(screen.queryByLabelText('PIN เดิม')).toBeNull()
  await userEvent.type(screen.getByLabelText('ยืนยัน PIN ใหม่'), '4821')
  await userEvent.click(screen.getByRole('button', { name: 'ตั้ง PIN' }))
  await screen.findByText('ตั้ง PIN สำเร็จ')
  expect(sent).toEqual([{ pin: '4821' }])
})

test('all of it is asked for as a transfer', async () => {
  const sent: unknown[] = []
  server.use(
    fake(getCredit, () => withPin),
    fake(listCreditMoves, () => ({ rows: [], next: null })),
    fake(withdrawCredit, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('PIN_WRONG', { values: { n: 4 } })
      return { ...withPin, balanceSatang: 0 }
    }),
  )
  write('user', customer)
  open('/user/u1?panel=credit')
  await userEvent.click(await screen.findByRole('button', { name: 'ขอรับทั้งหมดเป็นเงินโอน' }))
  await userEvent.selectOptions(await screen.findByLabelText('รับเงินทาง'), 'กสิกรไทย')
  await userEvent.type(screen.getByLabelText('เลขที่บัญชี'), '4051236789')
  await userEvent.type(screen.getByLabelText('ชื่อบัญชี'), 'ใจดี มีสุข')
  await userEvent.click(screen.getByRole('button', { name: 'ขอรับเป็นเงินโอน' }))
  expect(sent).toEqual([])
  await userEvent.type(screen.getByLabelText('PIN'), '1111')
  await userEvent.click(screen.getByRole('button', { name: 'ขอรับเป็นเงินโอน' }))
  // Only the PIN is typed again.
  await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')
  await userEvent.type(screen.getByLabelText('PIN'), '2580')
  await userEvent.click(screen.getByRole('button', { name: 'ขอรับเป็นเงินโอน' }))
  await screen.findByText('รับคำขอแล้ว ร้านจะโอนเข้าบัญชีที่แจ้ง')
  expect(sent[1]).toEqual({ bankCode: '004', accountNo: '4051236789', accountName: 'ใจดี มีสุข', pin: '2580' })
})

const withdrawn = {
  id: crypto.randomUUID(),
  amountSatang: 658_00,
  askedAt: '2026-11-20T05:00:00.000Z',
  payee: { bankCode: '004', end: '6789' },
  sentAt: null,
  slipId: null,
}

test('a withdrawal that waits is shown with where it goes, and its owner names another account', async () => {
  const sent: unknown[] = []
  server.use(
    fake(getCredit, () => ({ ...withPin, balanceSatang: 0, withdrawals: [withdrawn] })),
    fake(listCreditMoves, () => ({ rows: [], next: null })),
    fake(giveWithdrawalPayee, body => {
      sent.push(body)
      return withPin
    }),
  )
  write('user', customer)
  open('/user/u1?panel=credit')
  expect(await screen.findByText('กสิกรไทย x6789')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'เปลี่ยนบัญชีรับเงิน' }))
  await userEvent.selectOptions(await screen.findByLabelText('รับเงินทาง'), 'พร้อมเพย์')
  await userEvent.type(screen.getByLabelText('หมายเลขพร้อมเพย์'), '0812345678')
  await userEvent.type(screen.getByLabelText('ชื่อบัญชี'), 'ใจดี มีสุข')
  await userEvent.type(screen.getByLabelText('PIN'), '2580')
  await userEvent.click(screen.getByRole('button', { name: 'เปลี่ยนบัญชี' }))
  await screen.findByText('เปลี่ยนบัญชีรับเงินแล้ว')
  expect(sent).toEqual([{ bankCode: null, accountNo: '0812345678', accountName: 'ใจดี มีสุข', pin: '2580' }])
})

test('while the shop has just set a secret, credit says from when it can be had as money', async () => {
  server.use(
    fake(getCredit, () => ({ ...withPin, restsUntil: '2026-11-21T05:00:00.000Z' })),
    fake(listCreditMoves, () => ({ rows: [], next: null })),
  )
  write('user', customer)
  open('/user/u1?panel=credit')
  expect(await screen.findByText(/รับเครดิตเป็นเงินโอนได้ตั้งแต่ .*12:00/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'ขอรับทั้งหมดเป็นเงินโอน' })).toBeNull()
})

test('customers see no role and no status of theirs; agents do', async () => {
  write('user', customer)
  const { unmount } = open('/user/u1')
  const card = () => screen.findByRole('region', { name: 'บัญชีของฉัน' })
  expect((await card()).textContent).not.toMatch(/ลูกค้า|รอยืนยัน|ใช้งาน/)
  unmount()
  write('user', agent)
  open('/user/u1')
  expect((await card()).textContent).toMatch(/ตัวแทน/)
})

test('the phone is shown in its local form, and a wrong one is told at its field', async () => {
  server.use(fake(updateUser, refuse('PHONE_INVALID')))
  write('user', customer)
  open('/user/u1?panel=info')
  const phone = (await screen.findByLabelText('เบอร์โทรศัพท์')) as HTMLInputElement
  expect(phone.value).toBe('0812345678')
  await userEvent.clear(phone)
  await userEvent.type(phone, '0012345678')
  await userEvent.click(screen.getByRole('button', { name: 'บันทึก' }))
  expect(await screen.findByText('กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง')).toBeTruthy()
})

test('another person’s profile does not exist for customers and is a link for staff', async () => {
  write('user', customer)
  const { unmount } = open('/user/u2')
  expect(await screen.findByText('ไม่พบหน้านี้')).toBeTruthy()
  unmount()
  write('user', { ...customer, role: 'staff' })
  open('/user/u2')
  expect((await screen.findByRole('link', { name: 'เปิดในระบบหลังร้าน' })).getAttribute('href')).toMatch(/\/user\/u2$/)
})

test('a guarded page: a visitor signs in first, a role that is too low sees 403', async () => {
  const { unmount } = open('/wallet')
  expect(await screen.findByText('หน้าเข้าสู่ระบบ')).toBeTruthy()
  expect(screen.getByText('กรุณาเข้าสู่ระบบเพื่อดูหน้านี้')).toBeTruthy()
  expect(sessionStorage.getItem('wayBack')).toBe('/wallet')
  unmount()
  write('user', customer)
  open('/wallet')
  expect(await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')).toBeTruthy()
})

test('signing out takes everything of the shop’s along and nothing else', async () => {
  localStorage.setItem('somebody-else', '1')
  write('user', customer)
  write('players', { rov: [] })
  open('/user/u1')
  await userEvent.click(await screen.findByRole('button', { name: 'ออกจากระบบ' }))
  await screen.findByRole('button', { name: 'เลือกเกม' })
  await waitFor(() => expect(Object.keys({ ...localStorage })).toEqual(['somebody-else']))
  localStorage.removeItem('somebody-else')
})

const madeAt = '2026-11-20T05:00:00.000Z'
const AGENTS: AccessList = {
  keys: [
    { id: 'rk_live_old', name: 'เว็บร้าน', isTest: false, madeAt, usedAt: madeAt, isDoubtful: false },
    { id: 'rk_live_new', name: 'ไม่รู้จัก', isTest: false, madeAt, usedAt: null, isDoubtful: true },
  ],
  webhooks: [
    { id: crypto.randomUUID(), url: 'https://thief.example/', isTest: true, madeAt, usedAt: null, isDoubtful: true },
  ],
  links: [],
}

test('who changes the PIN says what goes on; what may be somebody else’s ends unless it is chosen', async () => {
  const sent: unknown[] = []
  server.use(
    fake(listAccess, () => AGENTS),
    fake(changePin, body => {
      sent.push(body)
      return agent
    }),
  )
  write('user', agent)
  open('/user/u1?panel=pin')
  await userEvent.type(await screen.findByLabelText('PIN เดิม'), '1234')
  await userEvent.type(screen.getByLabelText('PIN ใหม่'), '4321')
  await userEvent.type(screen.getByLabelText('ยืนยัน PIN ใหม่'), '4321')
  const change = () => userEvent.click(screen.getByRole('button', { name: 'เปลี่ยน PIN' }))
  await change()
  const sheet = within(await screen.findByRole('dialog', { name: 'เลือกสิ่งที่จะใช้ต่อ' }))
  const isChosen = (name: RegExp) => (sheet.getByRole('checkbox', { name }) as HTMLInputElement).checked
  expect([isChosen(/เว็บร้าน/), isChosen(/ไม่รู้จัก/), isChosen(/thief/)]).toEqual([true, false, false])
  // Going back changes nothing, and nothing is lost.
  await userEvent.click(sheet.getByRole('button', { name: 'กลับไปแก้ไข' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([sent, (screen.getByLabelText('PIN เดิม') as HTMLInputElement).value]).toEqual([[], '1234'])
  await change()
  const again = within(await screen.findByRole('dialog', { name: 'เลือกสิ่งที่จะใช้ต่อ' }))
  await userEvent.click(again.getByRole('checkbox', { name: /ไม่รู้จัก/ }))
  await userEvent.click(again.getByRole('button', { name: 'เปลี่ยนและยกเลิก 1 รายการ' }))
  await screen.findByText('เปลี่ยน PIN สำเร็จ')
  expect(sent).toEqual([
    { oldPin: '1234', pin: '4321', keep: { keys: ['rk_live_old', 'rk_live_new'], webhooks: [], links: [] } },
  ])
})
