import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { ChargeSummary, ChargeView } from '@shop/shared/gateway/fields.ts'
import type { ChargeState } from '@shop/shared/gateway/gateway.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'

/** How often a charge is read while nobody knows whether the gateway has it. */
const ASKING_MS = 2000
/** Each charge belongs to its moment: none is shown again from memory, and none is asked for twice. */
const ONCE = { retry: false, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** A gateway that has not answered after so long is told of, with other ways to pay; the answer still counts when it comes. */
const SLOW_MS = 4000

const ENDED: readonly ChargeState[] = ['failed', 'expired']

/** What a charge pays, as its page knows it: an order or a top-up. */
export interface Charged {
  /** Tells it apart from all others. */
  key: string
  /** By what it is to be paid so far. */
  method: GatewayMethod
  /** The newest try to pay it. */
  charge: ChargeSummary | null
  make(method: GatewayMethod): Promise<ChargeView>
  read(): Promise<ChargeView | null>
}

/** How far the page is with the buyer's charge. */
export type Charging =
  | { at: 'asking'; isSlow: boolean }
  | { at: 'ready'; charge: ChargeView; pay: NonNullable<ChargeView['pay']> }
  | { at: 'paid' }
  | { at: 'failed' }
  | { at: 'refused'; error: Error }

const ASKING: Charging = { at: 'asking', isSlow: false }

/** The charge as it is known last: by its own answer, or by a newer one of what it pays. */
function chargingOf(charged: Charged, charge: ChargeView | undefined): Charging {
  if (!charge) return ASKING
  const told = charged.charge?.id === charge.id ? charged.charge.state : charge.state
  const state = told === 'asking' ? charge.state : told
  if (state === 'paid') return { at: 'paid' }
  if (ENDED.includes(state)) return { at: 'failed' }
  if (charge.state === 'asking') return ASKING
  return charge.pay ? { at: 'ready', charge, pay: charge.pay } : { at: 'failed' }
}

/**
 * Has an order or a top-up collected by one of the gateway's methods. A charge that waits already is found again; one that has
 * failed is made anew only when the buyer says so.
 */
export function useCharge(charged: Charged, isOpen: boolean) {
  const { key } = charged
  const [method, setMethod] = useState(charged.method)
  const [failedBefore] = useState(charged.charge && ENDED.includes(charged.charge.state) ? charged.charge.method : null)
  const made = useQuery({
    ...ONCE,
    queryKey: ['charge made', key, method],
    queryFn: () => charged.make(method),
    enabled: isOpen && method !== failedBefore,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isAsking = made.data?.state === 'asking'
  const read = useQuery({
    ...ONCE,
    queryKey: ['charge', key],
    queryFn: () => charged.read(),
    staleTime: 0,
    enabled: isOpen && isAsking,
    refetchInterval: query => (query.state.data && query.state.data.state !== 'asking' ? false : ASKING_MS),
  })
  const charge = isAsking && read.data?.id === made.data?.id ? (read.data ?? made.data) : made.data
  useFollowing(charged, charge, next => (next === method ? void made.refetch() : setMethod(next)))
  const isUnasked = !made.data && !made.error && !made.isFetching && method === failedBefore
  const charging: Charging = made.isFetching
    ? ASKING
    : made.error
      ? { at: 'refused', error: made.error }
      : isUnasked
        ? { at: 'failed' }
        : chargingOf(charged, charge)
  const isSlow = useSlow(charging.at === 'asking', method)
  return {
    method,
    charge,
    charging: charging.at === 'asking' ? { ...charging, isSlow } : charging,
    choose: setMethod,
    retry: () => void made.refetch(),
  }
}

/** Tells whether asking by a method takes long. */
function useSlow(isAsking: boolean, method: GatewayMethod): boolean {
  const [slow, setSlow] = useState<GatewayMethod | null>(null)
  useEffect(() => {
    if (!isAsking) return
    const timer = setTimeout(() => setSlow(method), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(null)
    }
  }, [isAsking, method])
  return slow === method
}

/** Goes over to a charge that the buyer has asked for in another window, because it ended this one. */
function useFollowing(
  { charge: newest }: Charged,
  charge: ChargeView | undefined,
  follow: (method: GatewayMethod) => void,
) {
  // The ids of charges grow with time.
  const newer = charge && newest && newest.id > charge.id ? newest : null
  const newerId = newer?.id
  const go = useEffectEvent(() => {
    if (newer) follow(newer.method)
  })
  useEffect(() => {
    if (newerId) go()
  }, [newerId])
}
