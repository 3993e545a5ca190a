import { LoaderCircle } from 'lucide-react'

/** Covers the page while a sign-in is being finished. */
export function Working() {
  return (
    <div
      role="status"
      className="fixed inset-0 z-20 flex flex-col items-center justify-center gap-3 bg-white text-ink-2"
    >
      <LoaderCircle size={36} className="animate-[spin_0.9s_linear_infinite] text-accent" />
      <p>กรุณารอสักครู่..</p>
    </div>
  )
}
