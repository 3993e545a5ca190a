import { AppError } from '@shop/shared/errors.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { MOST_REVEALED, revealCodes, type ShownCode } from '@shop/shared/voucher/reveal-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'

interface Asked {
  ids: string[]
  pin?: string
  number?: string
}

const NONE: ReadonlyMap<string, ShownCode> = new Map()

/**
 * Shows codes of an order. They are in this component's memory alone and leave it with the page: no cache, storage or
 * address ever has one.
 */
export function useReveal(order: Pick<OrderView, 'orderNo'>, onRevealed: () => void) {
  const [shown, setShown] = useState(NONE)
  const [redeemHelp, setRedeemHelp] = useState('')
  /** A number from the mail that was right: it opens the other codes, too. */
  const [number, setNumber] = useState<string>()
  const reveal = useMutation({
    gcTime: 0,
    // It gives nothing back, because a mutation keeps what it gets.
    mutationFn: async ({ ids, ...proof }: Asked): Promise<void> => {
      const body = { orderNo: order.orderNo, ids: ids.slice(0, MOST_REVEALED), number, ...proof }
      const { codes, redeemHelp } = await api.call(revealCodes, { body })
      setShown(before => new Map([...before, ...codes.map(code => [code.id, code] as const)]))
      setRedeemHelp(redeemHelp)
      if (proof.number) setNumber(proof.number)
    },
    onSuccess: onRevealed,
    // One whose time is over is asked for anew.
    onError: error => error instanceof AppError && error.code === 'NUMBER_OVER' && setNumber(undefined),
  })
  const hide = (id: string) => setShown(before => new Map([...before].filter(([each]) => each !== id)))
  // A page that the browser keeps to come back to would keep the codes with it.
  useEffect(() => {
    const forget = () => setShown(NONE)
    window.addEventListener('pagehide', forget)
    return () => window.removeEventListener('pagehide', forget)
  }, [])
  return { shown, redeemHelp, hasNumber: number !== undefined, reveal, hide }
}
