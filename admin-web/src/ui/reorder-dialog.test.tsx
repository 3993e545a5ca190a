import { fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { expect, test } from 'vitest'
import { AtPath } from '../testing/at-path.tsx'
import { ReorderDialog } from './reorder-dialog.tsx'

const items = [
  { id: 11, label: 'หนึ่ง' },
  { id: 12, label: 'สอง' },
  { id: 13, label: 'สาม' },
]

function openDialog(shown: { id: number; label: string; picture?: string }[] = items, onClose = () => {}) {
  const saved: number[][] = []
  render(
    <AtPath path="/">
      <App>
        <ReorderDialog
          title="จัดเรียง"
          items={shown}
          isSaving={false}
          failure={null}
          onSave={ids => saved.push(ids)}
          onClose={onClose}
        />
      </App>
    </AtPath>,
  )
  return saved
}

const button = (name: string) => screen.getByRole('button', { name })
const labels = () => screen.getAllByRole('listitem').map(row => row.textContent)

test('buttons move a row, keep the focus and say where it is now', () => {
  const saved = openDialog()
  fireEvent.click(button('เลื่อน สาม ขึ้น'))
  expect(labels()).toEqual(['1หนึ่ง', '2สาม', '3สอง'])
  expect(document.activeElement).toBe(button('เลื่อน สาม ขึ้น'))
  screen.getByText('สาม อยู่ลำดับที่ 2 จาก 3')
  fireEvent.click(button('เลื่อน สาม ขึ้น'))
  fireEvent.click(button('บันทึก'))
  expect(saved).toEqual([[13, 11, 12]])
})

test('the ends of the list are ends', () => {
  openDialog()
  expect(button('เลื่อน หนึ่ง ขึ้น').getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button('เลื่อน หนึ่ง ขึ้น'))
  fireEvent.click(button('เลื่อน สาม ลง'))
  expect(labels()).toEqual(['1หนึ่ง', '2สอง', '3สาม'])
})

test('an unchanged order can not be saved', () => {
  openDialog()
  expect((button('บันทึก') as HTMLButtonElement).disabled).toBe(true)
  fireEvent.click(button('เลื่อน หนึ่ง ลง'))
  fireEvent.click(button('เลื่อน หนึ่ง ขึ้น'))
  expect((button('บันทึก') as HTMLButtonElement).disabled).toBe(true)
})

test('a new order is given up only after asking', async () => {
  let closed = 0
  openDialog(items, () => closed++)
  fireEvent.click(button('เลื่อน หนึ่ง ลง'))
  fireEvent.click(button('ยกเลิก'))
  expect(closed).toBe(0)
  fireEvent.click(await screen.findByRole('button', { name: 'ปิดโดยไม่บันทึก' }))
  expect(closed).toBe(1)
})

test('a row without a picture begins where the others do', () => {
  openDialog([
    { id: 1, label: 'มีรูป', picture: '/files/pictures/1.webp' },
    { id: 2, label: 'ไม่มีรูป', picture: '' },
  ])
  const places = screen.getAllByRole('listitem').map(row => row.querySelectorAll('.sortable-picture').length)
  expect(places).toEqual([1, 1])
})
