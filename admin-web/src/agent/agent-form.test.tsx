import type { Me } from '@shop/shared/account/endpoints.ts'
import {
  createAgentUser,
  type ListedAgent,
  listAgents,
  listTiers,
  updateAgentUser,
} from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { agent as agentWithoutTier } from '../testing/agent.ts'
import { renderSite, server, staff } from '../testing/site.tsx'

const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const agent: ListedAgent = { ...agentWithoutTier, spentSatang: 0, lastOrderAt: null }

async function openList(me: Me = manager) {
  server.use(
    fake(listAgents, () => ({ rows: [agent], total: 1 })),
    fake(listTiers, () => []),
  )
  renderSite({ path: '/management/agent', me })
  await screen.findAllByText(agent.name)
}

async function openForm(button: RegExp) {
  await openList()
  fireEvent.click(screen.getAllByRole('button', { name: button })[0]!)
  return within(await screen.findByRole('dialog'))
}

type Form = Awaited<ReturnType<typeof openForm>>

function fill(form: Form, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(form.getByLabelText(label), { target: { value } })
}

async function chooseBank(form: Form, name: string) {
  fireEvent.mouseDown(form.getByLabelText('ธนาคาร'))
  fireEvent.click(await screen.findByTitle(new RegExp(name)))
}

const person = {
  ชื่อตัวแทน: 'ร้านใหม่',
  ชื่อจริง: 'วีระ',
  นามสกุล: 'กล้าหาญ',
  อีเมล: 'new@demo.shop',
  โทรศัพท์: '0898765432',
  เลขที่บัญชี: '1112223334',
  รหัสผ่าน: 'first-pass-1',
  ยืนยันรหัสผ่าน: 'first-pass-1',
}

const save = (form: Form) => fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))

test('an empty form names everything that is missing and sends nothing', async () => {
  const form = await openForm(/เพิ่มตัวแทน/)
  save(form)
  for (const label of ['ชื่อตัวแทน', 'ชื่อจริง', 'นามสกุล', 'อีเมล', 'โทรศัพท์', 'เลขที่บัญชี', 'รหัสผ่าน'])
    await form.findByText(`กรุณากรอก${label}`)
  expect(form.getByText('กรุณาเลือกธนาคาร')).toBeTruthy()
})

test('phone, email and passwords are checked before anything is sent', async () => {
  const form = await openForm(/เพิ่มตัวแทน/)
  fill(form, { ...person, อีเมล: 'not-an-email', โทรศัพท์: '12345', รหัสผ่าน: 'short', ยืนยันรหัสผ่าน: 'other' })
  save(form)
  await form.findByText('กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง')
  expect(form.getByText('กรุณากรอกอีเมลให้ถูกต้อง')).toBeTruthy()
  expect(form.getByText('ต้องมีอย่างน้อย 8 ตัวอักษร')).toBeTruthy()
  expect(form.getByText('รหัสผ่านไม่ตรงกัน')).toBeTruthy()
})

test('a taken email is said at its field, nothing typed is lost, and the next save shows password and PIN once', async () => {
  const sent: unknown[] = []
  server.use(
    fake(createAgentUser, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('EMAIL_IN_USE')
      return { agent: { ...agent, name: 'ร้านใหม่' }, password: 'first-pass-1', pin: '3489' }
    }),
  )
  const form = await openForm(/เพิ่มตัวแทน/)
  fill(form, person)
  await chooseBank(form, 'กสิกรไทย')
  save(form)
  await form.findByText(/อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว/)
  expect(form.getByLabelText<HTMLInputElement>('ชื่อตัวแทน').value).toBe('ร้านใหม่')
  expect(form.getByLabelText<HTMLInputElement>('รหัสผ่าน').value).toBe('first-pass-1')
  fill(form, { อีเมล: 'newer@demo.shop' })
  save(form)
  await screen.findByText('3489')
  expect(screen.getByText('แสดงครั้งเดียว')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'คัดลอก PIN' })).toBeTruthy()
  expect(sent[1]).toEqual({
    name: 'ร้านใหม่',
    firstName: 'วีระ',
    lastName: 'กล้าหาญ',
    email: 'newer@demo.shop',
    tel: '0898765432',
    bankCode: '004',
    bankAccount: '1112223334',
    password: 'first-pass-1',
    isActived: true,
  })
  fireEvent.click(screen.getByRole('button', { name: 'ส่งให้ตัวแทนแล้ว' }))
  await waitFor(() => expect(screen.queryByText('3489')).toBeNull())
})

test('editing locks the email, asks for no password and sends neither', async () => {
  const sent: unknown[] = []
  server.use(
    fake(updateAgentUser, body => {
      sent.push(body)
      return agent
    }),
  )
  const form = await openForm(/^แก้ไข/)
  expect(form.getByLabelText<HTMLInputElement>('อีเมล').disabled).toBe(true)
  expect(form.queryByLabelText('รหัสผ่าน')).toBeNull()
  fill(form, { นามสกุล: 'ใจงาม' })
  save(form)
  await screen.findByText(`บันทึก ${agent.name} สำเร็จ`)
  const { uid, name, firstName, tel, bankCode, bankAccount } = agent
  expect(sent).toEqual([{ uid, name, firstName, lastName: 'ใจงาม', tel, bankCode, bankAccount, isActived: true }])
})

test('a tier needs its numbers, none below zero', async () => {
  await openList({ ...manager, role: 'admin' })
  fireEvent.click(screen.getByRole('tab', { name: 'Tier' }))
  fireEvent.click(await screen.findByRole('button', { name: 'เพิ่ม Tier' }))
  const form = within(await screen.findByRole('dialog'))
  fill(form, { ชื่อ: 'Platinum', ยอดเติมเงินขั้นต่ำ: '-5', จำนวนชิ้นสูงสุดต่อคำสั่งซื้อ: '1.5' })
  save(form)
  await form.findByText('กรุณากรอกยอดเติมเงินขั้นต่ำ ตั้งแต่ 0 บาทขึ้นไป')
  expect(form.getByText('กรุณากรอกยอดสูงสุดในกระเป๋าเงิน ตั้งแต่ 0 บาทขึ้นไป')).toBeTruthy()
  expect(form.getByText('กรุณากรอกจำนวนชิ้น 0–1000')).toBeTruthy()
})
