import { confirmTotp, enrolTotp, getUser, type Me, resetTotp, setUserRole } from '@shop/shared/account/endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { STAFF_PAGE, STAFF_PAGES } from '@shop/shared/staff-pages.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { PASSWORD, renderSite, server, staff } from '../testing/site.tsx'

const SECRET = 'JBSWY3DPEHPK3PXP'
const otpauthUri = `otpauth://totp/shop:manee?issuer=shop&secret=${SECRET}&digits=6&period=30`
const CODE = 'รหัส 6 หลักจากแอปยืนยันตัวตน'
const noOrders = { rows: [], total: 0, next: null, openBefore: 0, nowDate: '2026-11-20T07:00:00.000Z' }
const HISTORY = 'ประวัติคำสั่งซื้อ'

/** The server's side of one session: 123456 is the right code. */
function serve(start: { isRequired: boolean; isEnrolled: boolean }) {
  const totp = { ...start, isConfirmed: false }
  const tried: { code: string }[] = []
  /** The secrets with which pages were asked for. */
  const keys: (string | null)[] = []
  server.use(
    fake(enrolTotp, body => {
      if (totp.isEnrolled && (body as { code?: string }).code !== '123456')
        throw refuse('TOTP_WRONG', { values: { n: 4 } })()
      return { otpauthUri, sessionKey: 'begun' }
    }),
    fake(confirmTotp, body => {
      const { code } = body as { code: string }
      tried.push({ code })
      if (code !== '123456') throw refuse('TOTP_WRONG', { values: { n: 4 } })()
      return { ...Object.assign(totp, { isRequired: true, isEnrolled: true, isConfirmed: true }), sessionKey: 'secret' }
    }),
    fake(listAllOrders, (_body, _url, headers) => {
      keys.push(headers.get(SESSION_KEY))
      if (totp.isRequired && !totp.isConfirmed) refuse('TOTP_REQUIRED')()
      return noOrders
    }),
  )
  return { totp, tried, keys }
}

afterEach(() => localStorage.clear())

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
async function enter(code: string, { label = CODE, submit = 'ยืนยัน' } = {}) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: code } })
  await press(submit)
}

const refusals: [ErrorCode, Record<string, string | number>, string][] = [
  ['TOTP_WRONG', { n: 4 }, 'รหัสยืนยันไม่ถูกต้อง เหลืออีก 4 ครั้ง'],
  ['TOTP_LOCKED', { time: '10:15' }, 'กรอกรหัสยืนยันผิดครบ 5 ครั้ง ลองใหม่ได้เวลา 10:15'],
]
test.each(refusals)(
  '%s is told, nothing of the site shows, and the right code opens the page wanted',
  async (code, values, text) => {
    const { totp, tried } = serve({ isRequired: true, isEnrolled: true })
    server.use(fake(confirmTotp, refuse(code, { values }), { once: true }))
    renderSite({ path: '/management/history', totp })
    await enter('000000')
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(screen.queryByRole('navigation')).toBeNull()
    await enter('123 456')
    await screen.findByRole('heading', { name: HISTORY })
    expect(tried).toEqual([{ code: '123456' }])
  },
)

test('what the code gave goes with every call, over a reload, until the person signs out', async () => {
  const { totp, keys } = serve({ isRequired: true, isEnrolled: true })
  const { unmount } = renderSite({ path: '/management/history', totp })
  await enter('123456')
  await screen.findByRole('heading', { name: HISTORY })
  await waitFor(() => expect(keys).toContain('secret'))
  unmount()
  keys.length = 0
  renderSite({ path: '/management/history', totp })
  await waitFor(() => expect(keys).toEqual(['secret']))
  await press('ออกจากระบบ')
  await screen.findByLabelText('อีเมล')
  expect(localStorage.getItem('sessionKey')).toBeNull()
})

test('another app is begun with the code of the one in use', async () => {
  const { totp } = serve({ isRequired: true, isEnrolled: true })
  totp.isConfirmed = true
  server.use(fake(getUser, () => staff))
  renderSite({ path: `/user/${staff.uid}?panel=totp`, totp })
  await press('เปลี่ยนแอปยืนยันตัวตน')
  const inUse = { label: 'รหัส 6 หลักจากแอปที่ใช้อยู่', submit: 'แสดง QR' }
  await enter('000000', inUse)
  expect((await screen.findByRole('alert')).textContent).toContain('รหัสยืนยันไม่ถูกต้อง')
  expect(screen.queryByText(SECRET)).toBeNull()
  await enter('123456', inUse)
  await screen.findByText(SECRET)
  await enter('123456')
  await screen.findByText('เปิดใช้อยู่')
})

test.each(STAFF_PAGES.map(page => STAFF_PAGE[page].path))('%s shows nothing before the code', async path => {
  const { totp } = serve({ isRequired: true, isEnrolled: true })
  renderSite({ path: path.replaceAll(/:\w+/g, '1'), totp })
  await screen.findByRole('heading', { name: 'ยืนยันตัวตน' })
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('an incomplete code is not sent', async () => {
  const { totp, tried } = serve({ isRequired: true, isEnrolled: true })
  renderSite({ path: '/', totp })
  await enter('12345')
  await screen.findByText('กรุณากรอกรหัสให้ครบ 6 หลัก')
  expect(tried).toEqual([])
})

test('a session that a call finds unconfirmed is asked for the code at once', async () => {
  const { totp } = serve({ isRequired: false, isEnrolled: false })
  renderSite({ path: '/management/history', totp })
  await screen.findByRole('heading', { name: HISTORY })
  Object.assign(totp, { isRequired: true, isEnrolled: true })
  fireEvent.change(screen.getAllByRole('textbox')[0]!, { target: { value: 'A1' } })
  await screen.findByLabelText(CODE)
})

test('who has no app yet gets its QR and its secret as text, and may sign out instead', async () => {
  const { totp } = serve({ isRequired: true, isEnrolled: false })
  renderSite({ path: '/management/history', totp })
  await press('แสดง QR')
  const picture = await screen.findByRole('img', { name: 'QR สำหรับแอปยืนยันตัวตน' })
  expect(picture.tagName).toBe('svg')
  screen.getByText(SECRET)
  screen.getByRole('button', { name: 'คัดลอก รหัสลับ' })
  await enter('123456')
  await screen.findByRole('heading', { name: HISTORY })
})

test('signing out of the code page leads to the login page', async () => {
  const { totp } = serve({ isRequired: true, isEnrolled: true })
  renderSite({ path: '/', totp })
  await press('ออกจากระบบ')
  await screen.findByLabelText('อีเมล')
})

test('enrolment long after the sign-in asks for the password, says when it is wrong, and goes on with the right one', async () => {
  const { totp } = serve({ isRequired: true, isEnrolled: false })
  server.use(fake(enrolTotp, refuse('RECENT_SIGN_IN_REQUIRED'), { once: true }))
  renderSite({ path: '/', totp })
  await press('แสดง QR')
  fireEvent.change(await screen.findByLabelText('รหัสผ่านปัจจุบัน'), { target: { value: 'not-the-one' } })
  await press('ยืนยันรหัสผ่าน')
  expect((await screen.findByRole('alert')).textContent).toContain('รหัสผ่านปัจจุบันไม่ถูกต้อง')
  fireEvent.change(screen.getByLabelText('รหัสผ่านปัจจุบัน'), { target: { value: PASSWORD } })
  await press('ยืนยันรหัสผ่าน')
  await screen.findByText(SECRET)
})

test('in the own account an app is turned on by choice, and then shown as on', async () => {
  const { totp } = serve({ isRequired: false, isEnrolled: false })
  server.use(fake(getUser, () => staff))
  renderSite({ path: `/user/${staff.uid}?panel=totp`, totp })
  await screen.findByText('ยังไม่ได้เปิดใช้')
  await press('แสดง QR')
  await enter('123456')
  await screen.findByText('เปิดใช้อยู่')
  await screen.findByRole('button', { name: 'เปลี่ยนแอปยืนยันตัวตน' })
})

const other: Me = { ...staff, uid: 'u-other', displayName: 'ปิติ พนักงาน' }

async function openAdminPanel(role: Me['role']) {
  server.use(fake(getUser, () => other))
  renderSite({ path: `/user/${other.uid}?panel=admin`, me: { ...staff, role } })
  await screen.findByLabelText('บทบาท')
}

test("an admin takes somebody's app away, after being asked", async () => {
  let asked = ''
  server.use(
    fake(resetTotp, (_, url) => {
      asked = url.pathname
      return other
    }),
  )
  await openAdminPanel('admin')
  await press('รีเซ็ตแอปยืนยันตัวตน')
  expect(asked).toBe('')
  await press('รีเซ็ต')
  await screen.findByText('รีเซ็ตแอปยืนยันตัวตนแล้ว')
  expect(asked).toContain(other.uid)
})

test('a manager can not', async () => {
  await openAdminPanel('manager')
  expect(screen.queryByRole('button', { name: 'รีเซ็ตแอปยืนยันตัวตน' })).toBeNull()
})

test.each([
  ['EMAIL_UNPROVEN', 'อีเมลของบัญชีนี้ยังไม่ได้ยืนยัน'],
  ['LINE_NOT_ALLOWED', 'ผู้จัดการและผู้ดูแลระบบเข้าสู่ระบบด้วย LINE ไม่ได้'],
] as const)('a role that is refused with %s says so, and whoever gave it stays signed in', async (code, text) => {
  server.use(fake(setUserRole, refuse(code)))
  await openAdminPanel('admin')
  await press('บันทึก')
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'บันทึก' })).toHaveLength(2))
  fireEvent.click(screen.getAllByRole('button', { name: 'บันทึก' })[1]!)
  await screen.findByText(new RegExp(text))
  screen.getByRole('navigation', { name: 'เมนูหลัก' })
})
