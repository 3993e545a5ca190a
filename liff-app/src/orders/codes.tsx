import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/state.tsx'
import { SignInLink } from './sign-in-link.tsx'

// This is loaded on demand, because most orders bring no codes.
const CodesCard = lazy(() => import('../voucher/codes-card.tsx'))

/** The codes of an order; nothing for one that brings none. */
export const Codes = ({ order, onChanged }: { order: OrderView; onChanged: () => void }) =>
  order.codes && (
    <Suspense fallback={<Skeleton className="mt-4 h-40 rounded-card" />}>
      <CodesCard order={order} codes={order.codes} signIn={<SignInLink />} onChanged={onChanged} />
    </Suspense>
  )
