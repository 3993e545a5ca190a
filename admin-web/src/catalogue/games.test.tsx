import { wholeOrder } from '@shop/shared/catalogue/arrange.ts'
import { listManagedGames, type ManagedGame, reorderGames, saveGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { freefire, gameChoices, manager, pubg, rov } from '../testing/catalogue.ts'
import { renderSite, server, staff } from '../testing/site.tsx'

async function openGames(search = '', first = pubg) {
  server.use(
    fake(listManagedGames, () => [first, rov, freefire]),
    ...gameChoices(),
  )
  renderSite({ path: `/management/game${search}`, me: manager })
  await screen.findByText('Free Fire')
}

async function openForm(button: string, first = pubg) {
  await openGames('', first)
  fireEvent.click(screen.getByRole('button', { name: button }))
  return within(await screen.findByRole('dialog'))
}

type Form = Awaited<ReturnType<typeof openForm>>

function fill(form: Form, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(form.getByLabelText(label), { target: { value } })
}
const typedIn = (form: Form, label: string) => form.getByLabelText<HTMLInputElement>(label).value
const save = (form: Form) => fireEvent.click(form.getByRole('button', { name: 'บันทึก' }))

/** Answers each save with the next of `answers` and returns what was sent. */
function answerSaves(...answers: (ManagedGame | AppError)[]) {
  const sent: Partial<ManagedGame>[] = []
  server.use(
    fake(saveGame, body => {
      const answer = answers[sent.length]!
      sent.push(body as Partial<ManagedGame>)
      if (answer instanceof AppError) throw answer
      return answer
    }),
  )
  return sent
}

test('the list is narrowed by text and status in the address, search words count', async () => {
  await openGames('?text=free')
  expect(screen.queryByText('PUBG Mobile')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'ล้างตัวกรอง' }))
  const link = await screen.findByRole('link', { name: '2 แพ็กเกจของ PUBG Mobile' })
  expect(link.getAttribute('href')).toBe('/management/package/1')
  const search = screen.getByLabelText('ชื่อหรือรหัสเกม')
  fireEvent.change(search, { target: { value: 'พับจี' } })
  fireEvent.blur(search)
  await waitFor(() => expect(screen.queryByText('Free Fire')).toBeNull())
  expect(screen.getByText('PUBG Mobile')).toBeTruthy()
})

test('staff see that games are not theirs to manage', async () => {
  renderSite({ path: '/management/game', me: staff })
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
})

test('a list that could not be loaded can be asked for again', async () => {
  server.use(fake(listManagedGames, refuse('INTERNAL')))
  renderSite({ path: '/management/game', me: manager })
  await screen.findByRole('button', { name: 'ลองอีกครั้ง' })
  server.use(fake(listManagedGames, () => []))
  fireEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('ยังไม่มีเกม')
})

test('code and name are required, and the label of every input that is on', async () => {
  const form = await openForm('เพิ่มเกม')
  fireEvent.click(form.getByRole('switch', { name: 'เปิดช่องที่ 3' }))
  save(form)
  await form.findByText('กรุณากรอกรหัสเกม')
  expect(form.getByText('กรุณากรอกชื่อเกม')).toBeTruthy()
  expect(form.getByText('กรุณากรอกชื่อช่องที่ 3')).toBeTruthy()
  expect(form.queryByText('กรุณากรอกชื่อช่องที่ 2')).toBeNull()
  fill(form, { รหัสเกม: 'Good Code' })
  expect(typedIn(form, 'รหัสเกม')).toBe('good-code')
  fill(form, { รหัสเกม: 'bad/code' })
  await form.findByText('ใช้ได้เฉพาะ a-z, 0-9 และ - ไม่เกิน 50 ตัว')
})

test('a taken code is said at its field, nothing typed is lost, and the next save succeeds', async () => {
  const taken = new AppError('GAME_CODE_TAKEN', { values: { code: 'rov' } })
  const sent = answerSaves(taken, { ...freefire, name: 'เกมใหม่' })
  const form = await openForm('เพิ่มเกม')
  fill(form, { รหัสเกม: 'rov', ชื่อเกม: 'เกมใหม่' })
  save(form)
  await form.findByText('รหัสเกม rov ซ้ำ')
  expect(typedIn(form, 'ชื่อเกม')).toBe('เกมใหม่')
  fill(form, { รหัสเกม: 'new-game' })
  save(form)
  await screen.findByText('บันทึก เกมใหม่ สำเร็จ')
  expect(sent[1]).toMatchObject({
    code: 'new-game',
    name: 'เกมใหม่',
    qmsGameId: null,
    picture: '',
    playerChecks: [],
    isActive: true,
    fieldsOn: [true, false, false, false, false],
    fieldLabels: ['Player ID', '', '', '', ''],
    fieldFormats: [null, null, null, null, null],
    usualMinutes: { from: 5, to: 15 },
  })
  expect(sent[1]).not.toHaveProperty('id')
})

test('players are asked for at several, in an order that can be changed; each may know the game by another code', async () => {
  const sent = answerSaves(pubg)
  const form = await openForm('แก้ไข PUBG Mobile', { ...pubg, playerChecks: [{ by: 'midasbuy', gameCode: '' }] })
  fireEvent.mouseDown(form.getByRole('combobox', { name: 'เพิ่มผู้ตรวจชื่อผู้เล่น' }))
  fireEvent.click(await screen.findByTitle('G2Bulk'))
  fireEvent.change(await form.findByRole('textbox', { name: 'รหัสเกมที่ G2Bulk' }), { target: { value: 'pubgm' } })
  fireEvent.click(form.getByRole('button', { name: 'เลื่อน G2Bulk ขึ้น' }))
  save(form)
  await screen.findByText('บันทึก PUBG Mobile สำเร็จ')
  expect(sent[0]).toMatchObject({
    playerChecks: [
      { by: 'g2bulk', gameCode: 'pubgm' },
      { by: 'midasbuy', gameCode: '' },
    ],
  })
})

test('an input that is switched off keeps its label and choices', async () => {
  const zone = { kind: 'choices' as const, choices: ['Asia', 'Europe'] }
  const withZone: ManagedGame = {
    ...pubg,
    fieldsOn: [true, true, false, false, false],
    fieldLabels: ['Player ID', 'Zone', '', '', ''],
    fieldFormats: [pubg.fieldFormats[0]!, zone, null, null, null],
  }
  const sent = answerSaves(withZone)
  const form = await openForm('แก้ไข PUBG Mobile', withZone)
  fireEvent.click(form.getByRole('switch', { name: 'เปิดช่องที่ 2' }))
  expect(typedIn(form, 'ชื่อช่องที่ 2')).toBe('Zone')
  save(form)
  await screen.findByText('บันทึก PUBG Mobile สำเร็จ')
  const { fieldLabels, fieldFormats } = withZone
  expect(sent[0]).toMatchObject({ fieldsOn: [true, false, false, false, false], fieldLabels, fieldFormats })
})

test('a code that another game had is taken only after a question', async () => {
  const taken = new AppError('GAME_CODE_OF_OTHER', { values: { code: 'rov', game: 'RoV 2' } })
  const sent = answerSaves(taken, freefire)
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { รหัสเกม: 'rov' })
  expect(await form.findByText('ลิงก์และ QR เดิม /game/pubg ยังใช้ได้ จะพาไปที่รหัสใหม่')).toBeTruthy()
  save(form)
  fireEvent.click(await screen.findByRole('button', { name: 'ให้ลิงก์เก่าพามาเกมนี้' }))
  await screen.findByText('บันทึก Free Fire สำเร็จ')
  expect(sent[1]).toMatchObject({ code: 'rov', takesOldCode: true })
})

test('a failed save says so and keeps the form', async () => {
  answerSaves(new AppError('INTERNAL'))
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { ชื่อเกม: 'PUBG' })
  save(form)
  const note = await form.findByText('ไม่สามารถบันทึกข้อมูลได้ กรุณาลองอีกครั้ง')
  // In sight of who pressed the button, however long the form is.
  expect(note.closest('.ant-drawer-footer')).not.toBeNull()
  expect(typedIn(form, 'ชื่อเกม')).toBe('PUBG')
})

test('an edit sends everything the game had, with its version', async () => {
  const sent = answerSaves(pubg)
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { 'คำอธิบาย (ไม่บังคับ)': 'ใหม่' })
  save(form)
  await screen.findByText('บันทึก PUBG Mobile สำเร็จ')
  const {
    no: _,
    oldCodes: _codes,
    sale: _sale,
    packageCount: _count,
    updatedAt: _at,
    updatedByName: _by,
    ...fields
  } = pubg
  expect(sent[0]).toEqual({ ...fields, desc: 'ใหม่' })
})

const theirs: ManagedGame = { ...pubg, name: 'PUBG (TH)', version: 4, updatedByName: 'ธนา ผู้จัดการ' }
const conflict = () => new AppError('CONFLICT', { details: { current: theirs } })

test('when somebody saved in between, both versions are shown and mine is saved over theirs only by a button', async () => {
  const sent = answerSaves(conflict(), { ...theirs, desc: 'ของฉัน' })
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { 'คำอธิบาย (ไม่บังคับ)': 'ของฉัน' })
  save(form)
  await screen.findByText('ธนา ผู้จัดการ แก้ไขไปก่อนแล้ว')
  expect(screen.getByRole('row', { name: 'ชื่อเกม อีกคนแก้ PUBG (TH) PUBG Mobile' })).toBeTruthy()
  expect(screen.getByRole('row', { name: 'คำอธิบาย คุณแก้ เติม UC ของฉัน' })).toBeTruthy()
  expect(screen.queryByRole('row', { name: /รหัสเกม pubg/ })).toBeNull()
  expect(sent).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'บันทึกค่าของฉันทับ' }))
  await screen.findByText('บันทึก PUBG (TH) สำเร็จ')
  expect(sent.map(({ version }) => version)).toEqual([3, 4])
  expect(sent[1]).toMatchObject({ name: 'PUBG Mobile', desc: 'ของฉัน' })
})

test('taking what is saved fills the form with it, and the next save is made from that version', async () => {
  const sent = answerSaves(conflict(), theirs)
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { ชื่อเกม: 'ของฉัน' })
  save(form)
  fireEvent.click(await screen.findByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  await waitFor(() => expect(screen.queryByText('บันทึกค่าของฉันทับ')).toBeNull())
  expect(typedIn(form, 'ชื่อเกม')).toBe('PUBG (TH)')
  save(form)
  await screen.findByText('บันทึก PUBG (TH) สำเร็จ')
  expect(sent[1]).toMatchObject({ name: 'PUBG (TH)', version: 4 })
})

test('a button that is working keeps its Thai name', async () => {
  let answer: (saved: ManagedGame) => void = () => undefined
  server.use(fake(saveGame, () => new Promise<ManagedGame>(resolve => (answer = resolve))))
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { ชื่อเกม: 'PUBG' })
  save(form)
  await waitFor(() => expect(form.getByRole('button', { name: 'บันทึก' }).className).toContain('loading'))
  answer(pubg)
  await screen.findByText('บันทึก PUBG Mobile สำเร็จ')
})

test('two logos are compared as pictures, and the saved one takes the place of the one that was chosen', async () => {
  server.use(fake(uploadLogo, () => ({ url: '/files/mine.webp' })))
  const current = { ...theirs, picture: '/files/theirs.webp' }
  answerSaves(new AppError('CONFLICT', { details: { current } }))
  const form = await openForm('แก้ไข PUBG Mobile')
  const file = new File(['x'], 'mine.png', { type: 'image/png' })
  fireEvent.change(form.getByLabelText(/^โลโก้/), { target: { files: [file] } })
  await form.findByText('mine.png file uploaded successfully')
  save(form)
  const row = await screen.findByRole('row', { name: /^โลโก้/ })
  const shown = [...row.querySelectorAll('img')].map(picture => picture.getAttribute('src'))
  expect(shown).toEqual(['/files/theirs.webp', '/files/mine.webp'])
  fireEvent.click(screen.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  await waitFor(() => expect(form.queryByText('mine.png file uploaded successfully')).toBeNull())
  expect(form.getByAltText<HTMLImageElement>('โลโก้ปัจจุบัน').src).toContain('/files/theirs.webp')
})

test('closing or leaving a form with changes asks first', async () => {
  const form = await openForm('แก้ไข PUBG Mobile')
  fill(form, { ชื่อเกม: 'PUBG' })
  fireEvent.click(screen.getByRole('link', { name: 'ผู้ใช้งาน' }))
  fireEvent.click(await screen.findByRole('button', { name: 'อยู่ต่อ' }))
  fireEvent.click(form.getByRole('button', { name: 'ยกเลิก' }))
  fireEvent.click(await screen.findByRole('button', { name: 'แก้ไขต่อ' }))
  expect(typedIn(form, 'ชื่อเกม')).toBe('PUBG')
})

test('a logo is sent when it is chosen; a refused one says why, can not be saved, and the old one comes back', async () => {
  const form = await openForm('แก้ไข PUBG Mobile')
  const choose = (name: string) =>
    fireEvent.change(form.getByLabelText(/^โลโก้/), {
      target: { files: [new File(['x'], name, { type: 'image/png' })] },
    })
  server.use(fake(uploadLogo, refuse('PICTURE_NOT_IMAGE')))
  choose('bad.png')
  await form.findByText(/bad.png file upload failed. ไฟล์ต้องเป็นรูปภาพ/)
  save(form)
  await form.findByText('รูปที่เลือกยังไม่ได้อัปโหลด')
  const picker = form.getByRole('button', { name: 'เปลี่ยนโลโก้' })
  await waitFor(() => expect(document.activeElement).toBe(picker))
  expect(picker.getAttribute('aria-describedby')).toContain('picture_help')
  fireEvent.click(form.getByRole('button', { name: 'ใช้โลโก้เดิม' }))
  expect(form.getByAltText<HTMLImageElement>('โลโก้ปัจจุบัน').src).toContain('/files/pubg.webp')
  const sent = answerSaves(pubg)
  server.use(fake(uploadLogo, () => ({ url: '/files/new.webp' })))
  choose('good.png')
  await form.findByText('good.png file uploaded successfully')
  expect(form.getByAltText<HTMLImageElement>('โลโก้ที่เลือก').src).toContain('/files/new.webp')
  save(form)
  await screen.findByText('บันทึก PUBG Mobile สำเร็จ')
  expect(sent[0]).toMatchObject({ picture: '/files/new.webp' })
})

test('games are put in order by buttons; a failed save keeps the new order', async () => {
  const sent: unknown[] = []
  server.use(
    fake(reorderGames, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('UNAVAILABLE')
      return []
    }),
  )
  const dialog = await openForm('จัดเรียงเกม')
  fireEvent.click(dialog.getByRole('button', { name: 'เลื่อน Free Fire ขึ้น' }))
  fireEvent.click(dialog.getByRole('button', { name: 'เลื่อน Free Fire ขึ้น' }))
  save(dialog)
  await dialog.findByText('จัดเรียงเกมไม่สำเร็จ กรุณาลองอีกครั้ง')
  save(dialog)
  await screen.findByText('จัดเรียงเกมสำเร็จ')
  const order = [3, 1, 2].map((id, index) => ({ id, no: index + 1 }))
  const seen = { ids: [1, 2, 3], firstNo: 1, total: 3 }
  expect(sent).toEqual([
    { order, seen },
    { order, seen },
  ])
})

test('an order somebody else changed meanwhile is shown beside mine, and taken by a button', async () => {
  const current = { ...wholeOrder([rov, pubg, freefire]), total: 3 }
  server.use(
    fake(reorderGames, () => {
      throw new AppError('CONFLICT', { details: { current } })
    }),
  )
  const dialog = await openForm('จัดเรียงเกม')
  fireEvent.click(dialog.getByRole('button', { name: 'เลื่อน Free Fire ขึ้น' }))
  save(dialog)
  await dialog.findByRole('row', { name: `ลำดับที่ 1 ${rov.name} PUBG Mobile` })
  fireEvent.click(dialog.getByRole('button', { name: 'ใช้ค่าล่าสุด' }))
  expect(dialog.getAllByRole('listitem')[0]!.textContent).toBe(`1${rov.name}`)
  expect(dialog.queryByText('บันทึกค่าของฉันทับ')).toBeNull()
})
