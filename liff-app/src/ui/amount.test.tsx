import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Amount } from './amount.tsx'

const cases = [
  ['plain', 14937, '149 บาท 37 สตางค์', '฿149.37'],
  ['exact', 12345637, '123,456 บาท 37 สตางค์', '฿123,456.37'],
  ['pending', 14900, '149 บาท และเศษสตางค์', '฿149.xx'],
  ['signed', 100000, '1,000 บาท', '+1,000.00'],
  ['signed', -32200, 'ลบ 322 บาท', '−322.00'],
  ['struck', 15900, 'ราคาเดิม 159 บาท', '฿159'],
] as const

test.each(cases)('%s %d satang is read "%s" and seen "%s"', (kind, satang, reading, seen) => {
  const { container } = render(<Amount satang={satang} kind={kind} />)
  expect(container.querySelector('.sr-only')?.textContent).toBe(reading)
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe(seen)
})
