import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createTestQueries } from '../testing.tsx'
import { sendSlip } from './send-slip.ts'
import { useSlip } from './slip-attachment.tsx'

let uid: string | undefined
vi.mock('./prepare-slip.ts', () => ({ prepareSlip: async (file: File) => ({ file, qr: null }) }))
vi.mock('./send-slip.ts', () => ({ sendSlip: vi.fn() }))

const file = new File(['slip'], 'slip.jpg', { type: 'image/jpeg' })

beforeEach(() => {
  uid = undefined
  vi.mocked(sendSlip)
    .mockReset()
    .mockImplementation(async () => ({ id: `slip of ${uid ?? 'a guest'}`, hasBankReference: false }) as never)
})

function open() {
  const queries = createTestQueries()
  return renderHook(() => useSlip(uid), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  })
}

test('who signs in after the slip was sent sends it again, as a request of their own', async () => {
  const { result, rerender } = open()
  act(() => result.current.pick(file))
  await waitFor(() => expect(result.current.slipId).toBe('slip of a guest'))
  uid = 'u1'
  rerender()
  await waitFor(() => expect(result.current.slipId).toBe('slip of u1'))
  const [first, second] = vi.mocked(sendSlip).mock.calls
  expect(second![0]).toBe(file)
  expect(second![1].idempotencyKey).not.toBe(first![1].idempotencyKey)
  rerender()
  expect(sendSlip).toHaveBeenCalledTimes(2)
})

test('what was still on its way when somebody signed in is broken off', async () => {
  vi.mocked(sendSlip).mockImplementationOnce(() => new Promise(() => {}))
  const { result, rerender } = open()
  act(() => result.current.pick(file))
  await waitFor(() => expect(sendSlip).toHaveBeenCalledTimes(1))
  uid = 'u1'
  rerender()
  await waitFor(() => expect(result.current.slipId).toBe('slip of u1'))
  expect(vi.mocked(sendSlip).mock.calls[0]![1].signal.aborted).toBe(true)
})

test('without a slip nothing is sent when somebody signs in', () => {
  const { rerender } = open()
  uid = 'u1'
  rerender()
  expect(sendSlip).not.toHaveBeenCalled()
})
