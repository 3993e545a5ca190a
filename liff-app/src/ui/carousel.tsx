import { useRef, useState } from 'react'
import { classes } from './classes.ts'

interface Slide {
  id: string
  src: string
  alt: string
}

/** Pictures 2:1 moved by hand only: swipe, scroll keys or the dots. */
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
            <img
              src={slide.src}
              alt={slide.alt}
              width={1000}
              height={500}
              loading={index === 0 ? 'eager' : 'lazy'}
              fetchPriority={index === 0 ? 'high' : 'auto'}
              className="block aspect-2/1 size-full object-cover"
            />
          </li>
        ))}
      </ul>
      {slides.length > 1 && <Dots slides={slides} current={current} onChoose={goTo} />}
    </section>
  )
}

function Dots(props: { slides: Slide[]; current: number; onChoose: (index: number) => void }) {
  return (
    <div className="absolute bottom-1.5 left-3.5 flex">
      {props.slides.map((slide, index) => {
        const on = index === props.current
        return (
          <button
            key={slide.id}
            type="button"
            aria-label={`ภาพที่ ${index + 1} จาก ${props.slides.length}`}
            aria-current={on || undefined}
            onClick={() => props.onChoose(index)}
            className="flex h-6 min-w-6 items-center justify-center"
          >
            <span className={classes('h-1.5 rounded-full bg-white', on ? 'w-4.5' : 'w-1.5 opacity-50')} />
          </button>
        )
      })}
    </div>
  )
}
