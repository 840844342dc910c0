"""Sentences of our own for the recall detector, and the names that are known where they are said."""

from typing import Final

NAMES: Final = (
    "Ezra",
    "Allegro",
    "Priya",
    "Fahim khan",
    "Tomas Lind",
    "Ruth",
    "Mark",
    "Frank",
    "Alice",
    "Jordan",
    "Sam",
    "the-nexus",
    "mempalace",
    "kiln firing",
    "membership fee",
    "general",
    "notes",
    "music",
    "time",
)

RECALL: Final = """
who said we need a logo
who said we should move to a new server
I asked about this before and you gave me a good answer.
I asked about that earlier and you knew it
I remember you talking about a good cafe.
what did ezra do
what did priya do
I remember you mentioning a trick for faster builds.
I remember you talking about a good book.
a moment ago you said it was 5
earlier you said it was blue
Do you remember my dog's name
do you remember my sister's name
what did ezra say about the budget?
When is Priya moving to Lyon?
what does Fahim like to drink?
has allegro finished the migration?
Ezra's favourite editor?
who is Ruth?
Is Ruth allergic to anything?
where does tomas work now
Which instrument did Alice start learning last spring?
How many marathons has Jordan run?
Would Sam enjoy a trip to the mountains?
What made Frank give up the bakery?
what's Ruth's dog called
did Mark ever answer the landlord?
What kind of bike does Tomas Lind ride?
how did Priya and Ezra meet?
What does Alice think of the new logo?
tell me what Priya decided about the venue
is the-nexus deployed yet?
what was wrong with the-nexus last week?
how much is the membership fee?
which cone do we use for kiln firing?
what did we decide about the logo?
when did we agree to meet again?
what was the plan for the offsite?
have we talked about pricing yet?
who volunteered to bring the cake?
did anyone mention a better host?
why did we drop Redis?
where did we leave off?
catch me up please
what did I miss?
remind me what the port was
remind me who owns billing
can you remind me of the name of that plugin?
you mentioned a library for parsing dates, which one was it?
Earlier you said something about caching.
you told me about a podcast once, what was it called
what was that recipe you gave me last week?
I think you recommended a museum in Vienna. Which one?
You suggested two titles for my talk. What was the second?
do you remember my cat's name?
I can't remember who offered to drive
I forgot what we said about the rent
what do you know about me?
what do you remember about the move?
do you know who I am?
what's my name?
what is my sister's birthday again?
what's on my list of things to remember?
which reminders do I have?
how long have I been learning Dutch?
when did I adopt the cat?
Which running shoes did I buy in March?
how many books have I read this year?
where did I park the car yesterday?
How much did I pay for the sofa?
what colour did I paint the hallway?
who gave me the green scarf?
What is the name of my dentist?
What year did I graduate from college?
How old was I when we moved to Leeds?
Which came first, my trip to Oslo or the wedding?
where do I live?
how many plants do I own?
what did I tell you about my job?
I mentioned a deadline on Monday. When was it?
On June 3rd, I told you about a film. What was it?
I once asked you about sourdough. What did you advise?
In our last conversation we compared two laptops. Which one won?
Going back to our chat about taxes: which form did you name?
According to my notes, when does the lease end?
Based on the call yesterday, what does the client want?
what did the team think of the second prototype?
What did the designer say when discussing the cover?
Summarize the discussion about the budget.
What was the conclusion of the meeting on pricing?
What did the client ask for during the call?
Which workaround fixed the staging issue?
who broke the build?
why was the release postponed?
what caused the outage on Friday?
Which vendor did the team pick for the newsletter?
who approved the new logo?
when is the demo for the client?
What is the wifi password?
what's the status of the migration?
where are we on the redesign?
any news from the landlord?
any update on the visa letter?
is the pull request merged?
how far along is the website?
what's left to do on the roof?
what's still open?
is the backup script done yet?
did the deploy go out?
what about #123?
is issue 456 still open?
who reviewed PR 78?
what's in mempalace.py?
which commit broke the login page?
what happened to the old server?
what happened yesterday?
what broke last night?
what did we do last time?
how do we deploy?
what's our process for refunds?
how do we rotate the keys here?
do we have a checklist for releases?
what are our house rules?
what did I just say?
what did you just say about Lisbon?
A moment ago you gave me a number; what was it?
didn't we try that already?
haven't we discussed this before?
I seem to recall that you knew a shortcut
who was supposed to call the plumber?
who's working on the parser?
Which color scheme won the vote for the homepage?
What's the retention period for the nightly backups?
Who signed off on the travel budget?
What was the root cause of the checkout bug?
Which library replaced moment in the frontend?
When is the contract with the hosting company up for renewal?
Why was the launch moved to September?
How many seats are left for the workshop?
What were the action items from Tuesday's standup?
Where did the team end up going for the offsite?
I thought we already fixed that crash.
You told me there was a discount code somewhere.
There was a restaurant you raved about last month.
I'm pretty sure we agreed on Thursday.
I remember you mentioning a trick for faster builds.
I asked about this before and you gave me a good answer.
As I said last week, the deadline is tight. What was the date again?
what was that thing about the printer
who owns the domain
did the landlord reply
has anyone heard back from the venue?
is the invoice paid yet
what's happening with the mobile app
are we still meeting on Friday?
what's the plan for tomorrow's release?
where do we keep the design files
which branch are we supposed to use
how does our onboarding work?
what do we usually order from the bakery?
when do we usually meet
have you got any notes on the vendor call?
pull up what we said about insurance
show me what we decided on pricing
find the message where I shared the address
what was the last thing I asked you?
what did I ask you yesterday about taxes?
list everything I told you about my diet
what are my favourite bands?
who's my boss?
what's my dog's name
what am I allergic to?
which of my friends lives in Porto?
how tall is my son?
how much do I weigh now?
when's my anniversary
Do you recall my coffee order?
Do you know my birthday?
Have I told you about my trip to Peru?
What have I been working on lately?
what did you recommend for my back pain?
which book did you say I should read next?
Summarize what happened while I was away
recap yesterday's discussion please
what did people say about the new mascot?
what's new since last week?
did I ever finish the report?
why did I stop going to yoga?
""".strip().splitlines()

OTHER: Final = """
what happened at the end of the last of us
what happens at the end of breaking bad
what's the weather like tomorrow?
remind me how quicksort works
remind me to water the plants
remember this: the gate code is 2580
Remember that I am vegan.
thanks, that helps a lot!
good morning everyone
how are you today?
lol yes
what time is it in Tokyo?
what is the capital of Peru?
who wrote Middlemarch?
when did the Berlin Wall fall?
how do vaccines work?
why is the sky blue?
how do we know the earth is round?
how many planets are there in the solar system?
who won the match last night?
when was the last time Sweden won the cup?
what did Newton discover?
who was the first woman in space?
what year did the Titanic sink?
what did Marie Curie win the Nobel Prize for?
who played the lead in the first Batman film?
Who is the actor Frank Sinatra was compared to?
when was Alice Walker born?
what position did michael jordan play?
Which film did Frank Capra direct in 1946?
who sings the song about jordan river in the musical?
what was the name of Sam Spade's secretary in the novel?
which president did frank underwood replace in the series?
write a haiku about rain
write a story about Alice and a rabbit
can you translate this into French?
please summarise the following text
explain how TLS works
give me ten ideas for a birthday party
play some jazz
turn off the lights in the kitchen
set a timer for ten minutes
set a reminder for tomorrow at nine
add milk to my shopping list
put the dentist on my calendar for friday
delete everything on my todo list
book a table for four at eight
text Priya that I'm late
call Frank please
how do I reverse a list in Python?
how can I get better at chess?
how do I reset my password?
how do I change the pin of my card?
where can I see my card's limit?
why was my card declined at the shop?
why did my transfer take so long?
when will my new card arrive?
can I get a second card for my daughter?
is there a fee when I top up by bank transfer?
what happens if I lose my card?
I'd like to close my account, what do I have to do?
which currencies can I hold in my account?
my top-up did not go through, what now?
what documents do I need to verify my identity?
do you have an app for my phone?
how long does it take until my money is there?
what kind of oil does my car take?
when should I change my oil?
what mileage does my car get in the city?
do my tires need air?
do I need a visa for my trip to Kenya?
what vaccines do I need before I travel?
which plug do I need for my charger in Spain?
what could I cook for my guests tonight?
what can i use instead of butter in my cake
can you tell me how I improve my credit score
what should I wear to my interview?
where should we go for dinner tonight?
how busy is the burger place right now
what time is it where i am
how long should i cook my steak
is it safe to eat my leftovers after five days
what restaurants are near me?
tell me a fun fact about otters
what should i call you
are you a real person?
who made you?
what are your hobbies?
where do you come from
what languages do you speak?
can you say that again?
i did not get what you just said
could you explain that a bit more simply?
Can you make your previous answer shorter?
Now do the same for the second example.
Which of the two is faster, and why?
What if the first number is negative?
How would you change it to use recursion?
What assumptions does your answer make?
Are there other ways to solve this?
I like football a lot. Do you have a favourite team?
did you know that octopuses have three hearts?
did you see the game yesterday?
have you ever been to Iceland?
do you like dogs or cats?
wow, that is great news Ruth!
Thanks, Priya! I had a great time yesterday.
Last week I went hiking with my sister, it was lovely.
I finally finished my thesis!
Yesterday we decided to ship.
We should decide what Ann does.
What about you? Did you do anything fun?
How's it going?
I'm planning a trip to Rome next month. Can you suggest a hotel?
I've been running a lot lately. Any tips for sore knees?
I recently bought a tent and I'm looking for a good campsite near Munich.
I watched two films last week. Can you recommend a third?
What are some good books about the Ottoman empire?
what did I do wrong here?
why did I get this error?
what is wrong with my code?
what did you mean by that?
what is my best option here?
Tom has 3 apples and buys 5 more. How many apples does he have?
Alice has 12 marbles. She gives 5 to Frank. How many marbles does Alice have left?
Write a function that returns the last element of a list.
Find all files larger than 10 MB and print their names.
Rename notes.txt to old.txt
count the lines of every .py file in this folder
fix the typo in the heading
what is a kiln?
what music do people listen to in Brazil?
what is the best time to visit Japan?
what are general relativity's main ideas?
how many notes are in an octave?
what happened in 1848?
what was decided at the Congress of Vienna?
who decided the outcome of world war two?
what is the status of women in Roman law?
what did the Romans eat for breakfast?
why did the Soviet Union collapse?
how did people navigate before GPS?
what team did ronaldo play for in 2003?
what else did edison invent?
where did picasso live before he died?
what is our solar system made of?
how do I know if my cat is happy?
Did you know that the Bears once lost to a high school team?
Have you heard about the new rule in the league?
I remember when they won it all. Were you watching back then?
Have you ever played an instrument?
What did you think of the halftime show last year?
Did you watch the game last night? I thought it was great.
Did they win the cup last year? I forgot.
Who do you think will win this year?
do you follow them since you were a kid?
Did you hear that they sold the stadium for a dollar?
I can't believe we lost yesterday. Did you see that?
Do you know how many people watched it last year?
I never knew that! how did you find out?
how was your day?
what did you do today?
what have you been up to
what are we going to do tonight?
sorry what did you mean
can you please say it once more, i was not listening
i did not understand your last sentence, could you say it again?
could you clarify what you have just told me
what you said is not clear to me
please check that you understood my last command
you got my last request wrong
that is not what i asked for
no, i said the blue one
yes, that's exactly what i said
i told you to stop
Can you elaborate on the second point you mentioned?
Which of these points do you consider the most important?
Now rewrite it as if you were talking to a child.
Based on your earlier list, which city has the best climate?
Are there any errors in your previous reply?
What would change if we used a hash map?
How can we make this function faster?
Why do we add one to the denominator here?
What happens if we double the amount of sugar?
How would you solve it if the bus had only three stops?
I have still not received my card. When was it sent?
Why was I charged twice for the same purchase?
I was charged a fee that I did not expect. Why?
My card was stolen last week, what do I do?
I transferred money yesterday and it's still not there.
When did you start asking for identity documents?
I bought something abroad and the exchange rate was wrong.
What is this payment I don't recognise in my statement?
I lost my phone yesterday, can I still use my card?
How did my account get blocked?
the money I sent to my sister has not arrived, can you check the status?
Where is the money from my refund?
who can top up my account?
what was the exchange rate when I paid last Friday?
Where does my money come from when I top up?
In how many countries can I use my card?
Which ATMs accept my card?
Can my kids have an account?
what should i do, my account has been hacked
James has 20 cookies. He gives a third to his sister. How many cookies does James have now?
Last year Sam earned 300 dollars a week. This year she earns 10% more. How much does she earn in a year?
Frank is 5 years older than Alice. Alice is 12. How old will Frank be in 10 years?
Ruth drove 60 miles at 30 mph. How long did it take Ruth?
If Jordan sells 12 cakes at $4 each, how much money does Jordan make?
We went to the beach with the kids last weekend, what a day!
I can't wait to show you the pictures we took yesterday!
What a great memory, I remember our first trip too.
It reminds me of the time we got lost. Good days!
You said it! We should do that more often.
Thanks for telling me, Sam. I had no idea you felt that way.
I'm so glad we talked about this.
how did you like it?
Is that the place where you met?
what time does the meeting with the dentist start tomorrow
what do i need to bring to the airport
how many calories did lebron james burn in a game
who did the us fight in the war of 1812
what did the british call the long march
when did we land on the moon
who sang we are the world
who wrote the song i did it my way
what did the team name themselves after in the mighty ducks
where was the meeting of the big three held
when was the last time we had a solar eclipse
what issue divided the north and the south
who was in charge of the continental army
who is going to win the world cup
when did the first bank open in our country
which version of linux did torvalds release first
what is the status of puerto rico
what happened to the roanoke colony
who is working on a cure for cancer
what is the latest harry potter book
who reported the fall of the wall first
how far is the moon from us
who ordered the attack on pearl harbor
when was the last episode of the series released
what decision did truman have to make
Who is the main character in the budget hotel film?
I think we should all drink more water.
I believe we are alone in the universe.
There was a huge storm here last night.
I asked my doctor and she said it's fine.
show me a recipe for lentil soup
find the derivative of x squared
list everything a beginner needs for camping
what am i looking at?
how much do apples cost?
how tall is the Eiffel tower?
how do we breathe under water with a snorkel?
are we alone in the universe?
did we land on Mars?
what do we call a group of crows?
how is our planet protected from the sun?
which of my cards works abroad?
is the sun a star?
has the queen of England died?
did the Beatles ever play in Japan?
what is the current state of the economy?
what's happening in the world?
was the shop open on sundays back then?
someone said that cats can't taste sugar, is that true?
tell me about the client server model
what is the difference between a frontend and a backend?
how does the federal budget work?
who signs the federal budget?
what does a sprint in scrum look like?
what is a good venue for a wedding?
how long is the average workshop?
can you write a proposal for the budget?
John has three times as many marbles as James. James has a dozen. How many marbles does John have?
Sam bakes twice as many cakes on Sunday as on Saturday. He bakes 10 on Saturday. How many does Sam bake in all?
Frank's car uses 8 liters per 100 km. How much fuel does Frank need for his 350 km trip?
Alice reads half of her book on Monday and a third of the rest on Tuesday. Of 300 pages, how many are left?
Ruth wants to buy a bike for $240. She saves $30 a week. How many weeks must Ruth save?
Mark is two inches taller than Jordan. Jordan is 5 feet tall. How tall is Mark in inches?
Priya has 4 brothers and each brother has 3 dogs. How many dogs do they have in total?
Sam's mother gave him 5 apples, then he ate 2. How many apples does Sam have?
Ezra works 8 hours a day, 5 days a week. What is his weekly pay at $15 per hour?
Jordan runs 3 miles every day. How many miles does he run in 4 weeks?
Alice and Frank split a bill of $80 with a 15% tip. How much did each of them pay?
I think the Patriots were the best team last year. What do you think?
Yeah I agree. I heard they won because of their defense.
I didn't know that! Where did you read it?
That's crazy. I wonder how they came up with that.
Did you know that the first game was played in 1869?
I remember watching that game with my dad when I was a kid.
I used to play in high school. Did you play any sports?
Who was your favorite player growing up?
Do you think we will ever see a team like that again?
I believe we had more fun back in the day, haha.
Have you watched any good movies lately?
I saw it last week and loved it. Have you seen it?
Haha yes! I remember that one. So funny.
They said the new stadium would open last year but it didn't.
I heard about that. Didn't they change the rules after that?
What did you think about the trade?
We talked about it at work today, everyone was shocked.
My brother told me about it yesterday.
Wow, I had no idea! Thanks for sharing that with me.
Great chatting with you, have a good one!
We had such a good time at the beach, and I made some new friends.
I can't believe how far we've come since last year!
It was great talking to you about this. You gave me a lot to think about.
You mentioned it was a tough week, I hope it gets better.
I thought we were going to lose, but we pulled it off!
Yesterday I finally got the results, and I passed!
I told you it would work out, I'm so proud of you.
We decided to get a dog, and she's adorable.
You said it would be hard but I did it anyway.
who was the leader of the team that discovered dna
where did the name hathi come from
what did the wright brothers do before they invented the airplane
what does john mayer do
who has scored the most points in a single nba game
what is the name of my hero academia's main character
what happened at the end of the last of us
when did you're the one that i want come out
what did martin luther king do
what does janelle brown do for a living
what did george orwell write
what are the major issues in the middle east
how did the team of explorers reach the south pole
which version of the bible do catholics use
what was decided at the yalta conference
who owns the rights to the beatles songs
who is in charge of the us army
where do we get vitamin d from
when did we stop using the gold standard
why do we celebrate easter
how do we measure earthquakes
what do we call a baby kangaroo
who did we fight in the revolutionary war
what is the process of photosynthesis
what was our first national anthem
what is our national bird
who are our founding fathers
what did they find in the tomb of tutankhamun
what team did they play in the final
""".strip().splitlines()
