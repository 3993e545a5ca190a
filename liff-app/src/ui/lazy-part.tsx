import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from './button.tsx'
import { withinLimit } from './lazy-page.ts'
import { Failure } from './state.tsx'

interface BoundaryProps {
  children: ReactNode
  /** Shown in place of what failed. */
  failed: ReactNode
}

class PartBoundary extends Component<BoundaryProps> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.failed : this.props.children
  }
}

type Again<Props> = Props & { onRetry: () => void }

const FAILED = 'โหลดส่วนนี้ไม่สำเร็จ ข้อมูลอื่นในหน้านี้ยังอยู่'
const FailedPart = ({ onRetry }: Again<object>) => <Failure text={FAILED} onRetry={onRetry} />

/**
 * A part of a page whose code is loaded when it is first shown. Where that fails the part says so and offers to try again;
 * the page around it, and what was typed there, stays. @param fallback stands there while the code is loading
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
  Failed: ComponentType<Again<Props>> = FailedPart,
): ComponentType<Props> {
  const begin = () => lazy(() => withinLimit(load))
  let known = begin()
  return function Part(props: Props) {
    const [{ Code, tries }, setLoading] = useState(() => ({ Code: known, tries: 0 }))
    const again = () => {
      known = begin()
      setLoading({ Code: known, tries: tries + 1 })
    }
    return (
      <PartBoundary key={tries} failed={<Failed {...props} onRetry={again} />}>
        <Suspense fallback={fallback}>
          <Code {...(props as Props & { ref?: never })} />
        </Suspense>
      </PartBoundary>
    )
  }
}

interface Sheeted {
  open: boolean
  onClose: () => void
}

/** Stands where the sheet would come up, and goes with it. */
const FailedSheet = ({ open, onClose, onRetry }: Again<Sheeted>) =>
  open && (
    <div className="fixed inset-x-0 bottom-0 z-30 mx-auto grid max-w-128 gap-2 bg-white p-4 shadow-lg">
      <Failure text={FAILED} onRetry={onRetry} />
      <Button kind="quiet" size="small" onClick={onClose}>
        ปิด
      </Button>
    </div>
  )

/** The same for a sheet, which has no place in the page. */
export const lazySheet = <Props extends Sheeted>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazyPart(load, null, FailedSheet)
