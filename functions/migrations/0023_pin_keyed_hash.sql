ALTER TABLE "pin" ADD COLUMN "day" text;--> statement-breakpoint
ALTER TABLE "pin" ADD COLUMN "day_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pin" ADD COLUMN "locks" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pin" ADD COLUMN "locked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pin" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A lock so far held for 15 minutes; it was the first, and the tries after it count anew.
UPDATE "pin" SET "locked_at" = "locked_until" - interval '15 minutes', "locks" = 1, "wrong_tries" = 0 WHERE "locked_until" IS NOT NULL;
