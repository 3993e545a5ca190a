import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { classes } from './classes.ts'

interface Slide {
  id: string
  src: string
  alt: string
  /** Where a press on it leads; null for nowhere. */
  to: string | null
}

/** Pictures in the format 2:1. Only the person moves them, by swiping, scrolling or the arrow. */
export function Carousel({ label, slides, className }: { label: string; slides: Slide[]; className?: string }) {
  const track = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const goTo = (index: number) =>
    track.current?.scrollTo({ left: index * track.current.clientWidth, behavior: 'smooth' })
  const onScroll = () => {
    const { scrollLeft = 0, clientWidth = 1 } = track.current ?? {}
    setCurrent(Math.round(scrollLeft / clientWidth))
  }
  return (
    <section aria-label={label} aria-roledescription="carousel" className={classes('relative', className)}>
      <ul
        ref={track}
        onScroll={onScroll}
        tabIndex={slides.length > 1 ? 0 : undefined}
        className="flex h-full snap-x snap-mandatory overflow-x-auto scroll-smooth rounded-card bg-fill [scrollbar-width:none]"
      >
        {slides.map((slide, index) => (
          <li key={slide.id} className="w-full flex-none snap-start">
            {slide.to === null ? (
              <Picture slide={slide} isFirst={index === 0} />
            ) : (
              <Link to={slide.to} className="block size-full">
                <Picture slide={slide} isFirst={index === 0} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      {slides.length > 1 && (
        <Position count={slides.length} current={current} onNext={() => goTo((current + 1) % slides.length)} />
      )}
    </section>
  )
}

function Picture({ slide: { src, alt }, isFirst }: { slide: Slide; isFirst: boolean }) {
  return (
    <img
      src={src}
      alt={alt}
      width={1000}
      height={500}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding={isFirst ? 'auto' : 'async'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      className="block aspect-2/1 size-full object-cover"
    />
  )
}

function Position({ count, current, onNext }: { count: number; current: number; onNext: () => void }) {
  return (
    <>
      <div className="absolute right-13 bottom-3 left-4 flex flex-wrap gap-1.5" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: equal dots in a row
            key={index}
            className={classes('h-1.5 rounded-full bg-white', index === current ? 'w-4.5' : 'w-1.5 opacity-50')}
          />
        ))}
      </div>
      <button
        type="button"
        aria-label={`ภาพถัดไป (ภาพที่ ${current + 1} จาก ${count})`}
        onClick={onNext}
        className="absolute right-1 bottom-1 flex size-11 items-center justify-center rounded-full text-white"
      >
        <span className="rounded-full bg-ink/60 p-1">
          <ChevronRight size={22} />
        </span>
      </button>
    </>
  )
}
