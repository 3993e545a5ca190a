CREATE TABLE "second_word" (
	"id" uuid PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"asked_by" text NOT NULL,
	"guest_hash" text,
	"kind" text NOT NULL,
	"amount_satang" bigint NOT NULL,
	"subject" text NOT NULL,
	"note" text NOT NULL,
	"owners" text[] NOT NULL,
	"action" text NOT NULL,
	"call" text NOT NULL,
	"input" jsonb,
	"once" jsonb,
	"state" text NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "value_move" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_uid" text NOT NULL,
	"actor_role" text NOT NULL,
	"kind" text NOT NULL,
	"amount_satang" bigint NOT NULL,
	"subject" text NOT NULL,
	"note" text NOT NULL,
	"second_uid" text,
	"word_id" uuid,
	"is_alone" boolean NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "second_word_once" ON "second_word" USING btree ("digest") WHERE "second_word"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "second_word_state" ON "second_word" USING btree ("state","asked_at");--> statement-breakpoint
CREATE INDEX "second_word_digest" ON "second_word" USING btree ("digest","state");--> statement-breakpoint
CREATE INDEX "value_move_at" ON "value_move" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "value_move_actor" ON "value_move" USING btree ("actor_uid","at");--> statement-breakpoint
CREATE INDEX "value_move_subject" ON "value_move" USING btree ("subject","at");