import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useUnpaidOrders } from '../orders/unpaid-orders.ts'
import { PageSkeleton } from './frame.tsx'

const ResumeBanner = lazy(() =>
  import('../orders/resume-banner.tsx').then(module => ({ default: module.ResumeBanner })),
)

/**
 * A page below the banner about an unpaid order. Nothing of it is shown before it is known whether there is one, which
 * would push it down later; meanwhile the page and the banner load what they need.
 */
export function BelowBanner({ children }: { children: ReactNode }) {
  const { orders, receivedAt, isLoading } = useUnpaidOrders()
  const [isShown, setShown] = useState(!isLoading)
  // Once it is shown it stays, whatever is read again: somebody may be typing there.
  if (!isShown && !isLoading) setShown(true)
  return (
    <>
      {!isShown && <PageSkeleton />}
      <div hidden={!isShown}>
        <Suspense fallback={<PageSkeleton />}>
          {(!isShown || orders.length > 0) && <ResumeBanner orders={orders} receivedAt={receivedAt} />}
          {children}
        </Suspense>
      </div>
    </>
  )
}
