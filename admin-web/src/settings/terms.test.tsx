import { listTerms, publishTerms } from '@shop/shared/settings/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const second = {
  version: '2',
  body: 'ข้อกำหนดฉบับที่สองของร้าน\nคืนเงินภายใน 7 วัน',
  publishedAt: '2026-11-20T07:05:00.000Z',
  publishedByName: 'ปิติ ผู้จัดการ',
  acceptances: 1234,
}
const first = {
  version: '1',
  body: 'ข้อกำหนดฉบับแรกของร้าน',
  publishedAt: '2026-01-01T00:00:00.000Z',
  publishedByName: null,
  acceptances: 8,
}

async function openSection() {
  server.use(fake(listTerms, () => [second, first]))
  renderSite({ path: '/management/appconfig?section=terms', me: manager })
  await screen.findByRole('heading', { name: 'ฉบับที่ใช้อยู่: ฉบับที่ 2' })
}

async function write(value: string) {
  await openSection()
  fireEvent.click(screen.getByRole('button', { name: 'เขียนฉบับใหม่' }))
  fireEvent.change(screen.getByLabelText('ข้อความ'), { target: { value } })
}

const typed = () => screen.getByLabelText<HTMLTextAreaElement>('ข้อความ').value
const publishButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'เผยแพร่ฉบับใหม่' })

/** Presses publish and answers the question. */
async function publish() {
  fireEvent.click(publishButton())
  await screen.findByText(/ผู้ซื้อทุกคนต้องยอมรับฉบับใหม่ก่อนสั่งซื้อครั้งถัดไป/)
  fireEvent.click(screen.getByRole('button', { name: 'เผยแพร่' }))
}

function answerPublish(answer: () => { version: string; body: string; publishedAt: string }) {
  const sent: unknown[] = []
  server.use(
    fake(publishTerms, body => {
      sent.push(body)
      return answer()
    }),
  )
  return sent
}

test('every version tells when and by whom it was published, how many accepted it, and can be read', async () => {
  await openSection()
  const rows = within(screen.getByRole('region', { name: 'ทุกฉบับ' }))
  expect(rows.getByText('ใช้อยู่').closest('tr')!.textContent).toBe('2 ใช้อยู่20/11/2026 14:05:00ปิติ ผู้จัดการ1,234อ่าน')
  expect(rows.getByText('ระบบ').closest('tr')!.textContent).toBe('1 01/01/2026 07:00:00ระบบ8อ่าน')
  fireEvent.click(rows.getByRole('button', { name: 'อ่านฉบับที่ 1' }))
  within(await screen.findByRole('dialog', { name: 'ข้อกำหนดฉบับที่ 1' })).getByText(first.body)
})

test('what is too short or unchanged can not be published', async () => {
  await write('สั้นไป')
  expect(publishButton().disabled).toBe(true)
  screen.getByText('กรุณากรอกข้อกำหนดอย่างน้อย 20 ตัวอักษร')
  fireEvent.change(screen.getByLabelText('ข้อความ'), { target: { value: second.body } })
  expect(publishButton().disabled).toBe(true)
  screen.getByText('ยังเหมือนฉบับเดิม แก้ข้อความก่อนเผยแพร่')
})

const NEW = 'การคืนเงิน\n- คืนเงินภายใน 3 วัน\n\nข้อกำหนดฉบับที่สามของร้าน'

test('a new version is previewed, asked about and published from the one it was written from', async () => {
  const sent = answerPublish(() => ({ version: '3', body: NEW, publishedAt: '2026-11-21T00:00:00.000Z' }))
  await write(NEW)
  const preview = within(screen.getByRole('region', { name: 'ตัวอย่างที่ลูกค้าเห็น' }))
  preview.getByRole('heading', { name: 'การคืนเงิน' })
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'คืนเงินภายใน 3 วัน',
    'ข้อกำหนดฉบับที่สามของร้าน',
  ])
  await publish()
  await screen.findByText('เผยแพร่ข้อกำหนดฉบับที่ 3 สำเร็จ')
  expect(sent).toEqual([{ body: NEW, fromVersion: '2' }])
})

test('a failure is said and the text stays', async () => {
  answerPublish(refuse('INTERNAL'))
  await write(NEW)
  await publish()
  await screen.findByText('บันทึกข้อมูลไม่สำเร็จ!')
  expect(typed()).toBe(NEW)
})

const third = { version: '3', body: 'ฉบับที่สามของคนอื่น ยาวพอสมควร', publishedAt: '2026-11-21T00:00:00.000Z' }

async function meetConflict() {
  answerPublish(refuse('CONFLICT', { details: { current: third } }))
  await write(NEW)
  await publish()
  await screen.findByText('มีผู้อื่นแก้ไขไปก่อนแล้ว')
  expect(screen.getByRole('row', { name: /^ฉบับที่ 3/ }).textContent).toBe(`ฉบับที่ 3${third.body}${NEW}`)
}

test('after somebody else published, one can go on from their text', async () => {
  await meetConflict()
  fireEvent.click(screen.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  await screen.findByRole('heading', { name: 'ฉบับใหม่ แก้จากฉบับที่ 3' })
  expect(typed()).toBe(third.body)
})

test('after somebody else published, one’s own text can replace theirs', async () => {
  await meetConflict()
  const sent = answerPublish(() => ({ ...third, version: '4' }))
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'เผยแพร่' }).length).toBeGreaterThan(0))
  fireEvent.click(screen.getAllByRole('button', { name: 'เผยแพร่' }).at(-1)!)
  await screen.findByText('เผยแพร่ข้อกำหนดฉบับที่ 4 สำเร็จ')
  expect(sent).toEqual([{ body: NEW, fromVersion: '3' }])
})

test('leaving asks about a version that is not published', async () => {
  await write(NEW)
  fireEvent.click(screen.getByRole('link', { name: 'ตั้งค่าร้าน' }))
  await screen.findByText('มีข้อกำหนดฉบับใหม่ที่ยังไม่เผยแพร่')
})

test('giving up a version that was written asks first', async () => {
  await write(NEW)
  fireEvent.click(screen.getByRole('button', { name: 'ยกเลิก' }))
  fireEvent.click(await screen.findByRole('button', { name: 'แก้ไขต่อ' }))
  expect(typed()).toBe(NEW)
  fireEvent.click(screen.getByRole('button', { name: 'ยกเลิก' }))
  fireEvent.click((await screen.findAllByRole('button', { name: 'ปิดโดยไม่บันทึก' })).at(-1)!)
  await screen.findByRole('button', { name: 'เขียนฉบับใหม่' })
})
