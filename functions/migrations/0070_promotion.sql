ALTER TABLE "safe_mode" ADD COLUMN "beat" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "beat_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "beat_synced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "promoted_at" timestamp (3) with time zone;