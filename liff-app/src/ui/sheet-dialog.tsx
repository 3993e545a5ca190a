import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { useBackClose } from './use-back-close.ts'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: string
  /** Work is under way, so Escape, a tap beside the sheet, Back and the close button do nothing. */
  busy?: boolean
  /** It may be twice as wide on a large screen, for a form with fields side by side. */
  isWide?: boolean
  /** `onClose` only asks whether to close, so that the sheet stays open. */
  asksFirst?: boolean
  /** Gets the focus when the sheet opens; without it the title does. */
  firstField?: RefObject<HTMLElement | null>
  children: ReactNode
}

type Opener = RefObject<HTMLElement | null>

/** Gives the focus back to the first opener, which had it before the code of Headless UI could see that. */
function GiveFocusBack({ opener }: { opener: Opener }) {
  useEffect(() => {
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener.current?.focus()
      })
    }
  }, [opener])
  return null
}

/** The dialog of `Sheet`, which is the one to use. */
export default function SheetDialog(props: SheetProps & { opener: Opener }) {
  const { open, onClose, title, busy = false, isWide = false, asksFirst = false, firstField, opener, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const close = () => {
    if (!busy) onClose()
  }
  useBackClose(open, busy || asksFirst, close)
  return (
    <Dialog
      open={open}
      onClose={close}
      initialFocus={(firstField ?? heading) as typeof heading}
      className="fixed inset-0 z-20"
    >
      <DialogBackdrop
        transition
        className="fixed inset-0 bg-scrim transition-opacity duration-200 data-closed:opacity-0 data-leave:duration-160"
      />
      <div className="fixed inset-0 flex items-end justify-center sm:items-center sm:p-6">
        <DialogPanel
          transition
          data-sheet
          className={classes(
            '@container max-h-[calc(100dvh-max(5.5rem,var(--toast,0rem)))] lg:max-h-[92dvh] w-full overflow-y-auto overscroll-contain rounded-t-sheet bg-white px-4 pt-2 pb-[calc(1rem+env(safe-area-inset-bottom))] transition duration-200 ease-out data-closed:translate-y-full data-leave:duration-160 motion-reduce:data-closed:translate-y-0 motion-reduce:data-closed:opacity-0 sm:max-w-104 sm:rounded-sheet sm:px-6 sm:pt-4 sm:pb-6 sm:shadow-dialog sm:data-closed:translate-y-2 sm:data-closed:opacity-0',
            isWide && 'lg:max-w-192',
          )}
        >
          <div className="mx-auto mb-1.5 h-1 w-9 rounded-full bg-card sm:hidden" />
          <div className="flex items-center justify-between gap-3">
            <DialogTitle
              ref={heading}
              tabIndex={-1}
              className="min-w-0 py-2 text-[1.1875rem] text-section outline-none"
            >
              {title}
            </DialogTitle>
            <IconButton
              icon={X}
              size={22}
              label="ปิด"
              className="-mr-3"
              aria-disabled={busy || undefined}
              onClick={close}
            />
          </div>
          {children}
          <GiveFocusBack opener={opener} />
        </DialogPanel>
      </div>
    </Dialog>
  )
}
