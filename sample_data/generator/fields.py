"""The subject fields of the sample grammar: who and what there is, where, and what is done to what.

One field a block. ``things``: a + marks what can be carried. ``acts`` and ``happenings``: a verb and the things it goes with
(``*`` for all). Other entries are phrases in the shorthand of the treebank, separated by ``;``.
"""

FIELDS_TEXT = """
[harbour]
people: sailor captain fisherman/fishermen pilot diver smuggler harbourmaster merchant
person_adjectives: young weary Norwegian honest superstitious silent
things: +lantern +rope +compass +map +oar +net boat anchor sail barrel
thing_adjectives: old rusty heavy Dutch broken
acts: mend=net boat sail; paint=boat barrel oar; haul=net anchor rope; hide/hides/hid/hidden/hiding=lantern map compass barrel; lose/loses/lost/lost/losing=net anchor oar compass; sell/sells/sold/sold/selling=boat map barrel; steal/steals/stole/stolen/stealing=boat lantern compass
happenings: sink/sinks/sank/sunk/sinking=boat barrel anchor; drift=boat barrel oar net; vanish=*
places: in_IN the_DT harbour_NN; on_IN the_DT quay_NN; at_IN the_DT end_NN of_IN the_DT pier_NN; on_IN the_DT beach_NN; near_IN the_DT lighthouse_NN
thing_places: below_IN deck_NN; behind_IN the_DT boathouse_NN; on_IN the_DT sand_NN
topics: the_DT tides_NNS; the_DT weather_NN; the_DT storm_NN; the_DT wreck_NN; herring_NN; the_DT voyage_NN
thing_phrases: of_IN the_DT drowned_JJ captain_NN; with_IN a_DT red_JJ handle_NN; from_IN the_DT wreck_NN
person_phrases: with_IN a_DT wooden_JJ leg_NN; from_IN the_DT islands_NNS; in_IN the_DT yellow_JJ oilskin_NN
tools: with_IN a_DT hook_NN; with_IN an_DT old_JJ knife_NN; with_IN tar_NN

[parliament]
people: minister senator reporter lawyer judge spokesman/spokesmen adviser mayor ambassador
person_adjectives: senior ambitious retired liberal cautious elderly
things: +report +letter +memo +ballot +petition bill law speech budget treaty
thing_adjectives: secret controversial lengthy final unpopular
acts: sign=bill letter treaty petition law; reject=bill budget treaty petition; publish=report letter speech memo; draft/drafts/drafted/drafted/drafting=bill law speech treaty memo; leak=report letter memo budget; defend=budget bill law treaty; block=bill law budget
happenings: fail=bill treaty law petition; pass=bill law budget; disappear=report letter memo ballot
places: in_IN the_DT capital_NN; in_IN parliament_NN; at_IN the_DT conference_NN; outside_IN the_DT courtroom_NN; in_IN the_DT committee_NN room_NN
thing_places: on_IN the_DT president_NN 's_POS desk_NN; in_IN a_DT locked_JJ drawer_NN; in_IN the_DT archive_NN
topics: taxes_NNS; the_DT election_NN; the_DT reform_NN; the_DT scandal_NN; pensions_NNS; foreign_JJ trade_NN
thing_phrases: on_IN pension_NN reform_NN; from_IN the_DT treasury_NN; about_IN the_DT ports_NNS
person_phrases: from_IN the_DT opposition_NN; with_IN few_JJ friends_NNS; in_IN the_DT front_JJ row_NN
tools: with_IN a_DT fountain_NN pen_NN; with_IN the_DT help_NN of_IN two_CD clerks_NNS

[kitchen]
people: cook baker waiter guest lodger child/children neighbour uncle plumber
person_adjectives: hungry polite patient greedy Italian elderly
things: +kettle +cake +knife/knives +pie +jar +recipe +loaf/loaves +bottle +candle table chair
thing_adjectives: empty broken blue enormous silver
acts: bake=cake pie loaf; wash=kettle knife jar bottle; polish=kettle knife table; drop=jar bottle cake kettle; burn/burns/burnt/burnt/burning=cake pie loaf recipe; break/breaks/broke/broken/breaking=jar bottle chair; wrap=cake knife loaf pie; light/lights/lit/lit/lighting=candle
happenings: break/breaks/broke/broken/breaking=jar bottle chair; burn/burns/burnt/burnt/burning=cake pie candle; disappear=*
places: in_IN the_DT kitchen_NN; in_IN the_DT garden_NN; by_IN the_DT window_NN; at_IN the_DT back_NN of_IN the_DT house_NN; in_IN the_DT pantry_NN
thing_places: in_IN the_DT oven_NN; on_IN the_DT top_JJ shelf_NN; under_IN the_DT sink_NN
topics: supper_NN; the_DT wedding_NN; garlic_NN; the_DT soup_NN; butter_NN; the_DT price_NN of_IN eggs_NNS
thing_phrases: with_IN a_DT cracked_JJ handle_NN; from_IN the_DT market_NN; for_IN the_DT wedding_NN
person_phrases: with_IN flour_NN on_IN her_PRP$ hands_NNS; from_IN next_JJ door_NN; in_IN the_DT striped_JJ apron_NN
tools: with_IN a_DT wet_JJ cloth_NN; with_IN salt_NN and_CC vinegar_NN; with_IN an_DT old_JJ newspaper_NN

[laboratory]
people: student professor chemist technician visitor examiner caretaker physicist
person_adjectives: brilliant absent-minded nervous Danish sleepy careful
things: +sample +microscope +notebook +battery/batteries +lens +thermometer experiment telescope theory/theories result
thing_adjectives: delicate expensive new faulty strange
acts: repeat=experiment result; measure=sample lens battery; test=battery theory lens sample; check=result thermometer notebook; photograph=sample telescope experiment; clean=lens microscope telescope; explain=theory result experiment
happenings: explode=battery sample; fail=experiment battery theory; work=battery telescope experiment theory
places: in_IN the_DT laboratory_NN; at_IN the_DT university_NN; in_IN the_DT basement_NN; in_IN the_DT library_NN; at_IN the_DT observatory_NN
thing_places: behind_IN the_DT screen_NN; in_IN the_DT glass_NN case_NN; next_JJ to_TO the_DT sink_NN
topics: gravity_NN; the_DT comet_NN; the_DT data_NNS; light_NN; the_DT climate_NN; the_DT examination_NN
thing_phrases: with_IN a_DT cracked_JJ lens_NN; from_IN the_DT last_JJ expedition_NN; about_IN sleeping_VBG bees_NNS
person_phrases: with_IN the_DT telescope_NN; from_IN Geneva_NNP; in_IN the_DT white_JJ coat_NN
tools: with_IN a_DT laser_NN; with_IN a_DT magnifying_NN glass_NN; with_IN two_CD mirrors_NNS

[theatre]
people: actor singer composer critic director pianist dancer tailor
person_adjectives: celebrated jealous shy Viennese forgetful vain
things: +costume +violin +mask +script +poster +ticket play song piano overture
thing_adjectives: famous cheap magnificent unfinished old
acts: rehearse=play song overture; write/writes/wrote/written/writing=play song script overture; praise=play song overture costume; ruin=play song overture costume; perform=play song overture; tear/tears/tore/torn/tearing=costume script poster ticket; tune=violin piano
happenings: begin/begins/began/begun/beginning=play song overture; end=play song overture; disappear=costume violin mask script
places: on_IN the_DT stage_NN; in_IN the_DT dressing_NN room_NN; at_IN the_DT opera_NN; in_IN the_DT third_JJ row_NN; at_IN the_DT rehearsal_NN
thing_places: behind_IN the_DT curtain_NN; in_IN the_DT trunk_NN; on_IN the_DT dressing_NN table_NN
topics: the_DT finale_NN; applause_NN; the_DT ending_NN; jazz_NN; the_DT part_NN; the_DT audience_NN
thing_phrases: for_IN two_CD voices_NNS; about_IN a_DT lost_VBN ring_NN; with_IN gold_NN letters_NNS
person_phrases: with_IN the_DT violin_NN; from_IN Prague_NNP; in_IN the_DT feathered_JJ hat_NN
tools: with_IN great_JJ feeling_NN; with_IN the_DT left_JJ hand_NN

[railway]
people: passenger driver conductor engineer porter policeman/policemen tourist thief/thieves soldier
person_adjectives: impatient French cheerful stranded well-dressed
things: +suitcase +ticket +trunk +umbrella +parcel +newspaper +bicycle train engine signal
thing_adjectives: stolen brown lost heavy old
acts: carry=suitcase trunk parcel umbrella; catch/catches/caught/caught/catching=train; steal/steals/stole/stolen/stealing=suitcase bicycle ticket umbrella; inspect=ticket trunk engine; open=suitcase trunk parcel; search=trunk train suitcase; forget/forgets/forgot/forgotten/forgetting=umbrella ticket newspaper parcel; repair=engine signal bicycle
happenings: arrive=train parcel trunk; stop=train engine; leave/leaves/left/left/leaving=train; disappear=suitcase ticket trunk umbrella bicycle
places: on_IN the_DT platform_NN; at_IN the_DT station_NN; in_IN the_DT dining_NN car_NN; near_IN the_DT tunnel_NN; in_IN the_DT waiting_NN room_NN
thing_places: under_IN the_DT seat_NN; on_IN the_DT luggage_NN rack_NN; in_IN the_DT last_JJ carriage_NN
topics: the_DT delay_NN; the_DT strike_NN; the_DT frontier_NN; the_DT journey_NN; snow_NN; the_DT timetable_NN
thing_phrases: to_TO Vienna_NNP; with_IN a_DT broken_JJ lock_NN; from_IN platform_NN nine_CD
person_phrases: with_IN the_DT heavy_JJ suitcase_NN; from_IN Lyon_NNP; in_IN the_DT corner_NN seat_NN
tools: with_IN a_DT hairpin_NN; with_IN a_DT bent_JJ key_NN

[village]
people: farmer doctor priest shepherd teacher blacksmith carpenter nurse postman/postmen
person_adjectives: stubborn kind wise poor lonely
things: +ladder +bell +clock +lamp +basket cow cart gate plough horse bridge fence
thing_adjectives: crooked ancient white muddy sturdy
acts: repair=cart gate plough bridge fence clock bell; buy/buys/bought/bought/buying=cow horse cart clock lamp; borrow=ladder plough horse basket; feed/feeds/fed/fed/feeding=cow horse; fix=gate clock lamp fence; build/builds/built/built/building=bridge fence cart; ring/rings/rang/rung/ringing=bell
happenings: fall/falls/fell/fallen/falling=bridge ladder fence bell; escape=cow horse; rot/rots/rotted/rotted/rotting=fence gate cart; stop=clock cart
places: in_IN the_DT village_NN; in_IN the_DT churchyard_NN; on_IN the_DT hill_NN; along_IN the_DT river_NN; at_IN the_DT inn_NN
thing_places: behind_IN the_DT barn_NN; in_IN the_DT tower_NN; at_IN the_DT edge_NN of_IN the_DT wood_NN
topics: the_DT harvest_NN; the_DT drought_NN; the_DT fair_NN; wolves_NNS; the_DT flood_NN; honey_NN
thing_phrases: with_IN a_DT blue_JJ stripe_NN; of_IN the_DT old_JJ church_NN; from_IN the_DT next_JJ valley_NN
person_phrases: with_IN the_DT grey_JJ beard_NN; from_IN the_DT mill_NN; in_IN the_DT straw_NN hat_NN
tools: with_IN a_DT hammer_NN; with_IN bare_JJ hands_NNS; with_IN wire_NN and_CC string_NN

[company]
people: manager clerk accountant investor chairman/chairmen engineer buyer secretary/secretaries rival
person_adjectives: new ruthless foreign former anxious efficient
things: +contract +invoice +computer +offer +plan loan shipment machine factory/factories warehouse
thing_adjectives: German expensive modern missing recent
acts: cancel=contract loan shipment offer; approve=plan loan contract offer; finance=factory machine plan; lose/loses/lost/lost/losing=contract invoice shipment; buy/buys/bought/bought/buying=computer factory machine warehouse; deliver=machine shipment computer; review=plan contract invoice loan; accept=offer plan loan
happenings: fail=plan machine computer; arrive=shipment invoice offer machine; vanish=invoice contract shipment
places: in_IN the_DT boardroom_NN; at_IN the_DT head_JJ office_NN; in_IN the_DT lift_NN; at_IN the_DT annual_JJ meeting_NN; in_IN the_DT canteen_NN
thing_places: in_IN the_DT safe_NN; on_IN the_DT manager_NN 's_POS desk_NN; in_IN the_DT basement_NN
topics: the_DT merger_NN; prices_NNS; the_DT deadline_NN; the_DT losses_NNS; copper_NN; the_DT takeover_NN
thing_phrases: with_IN a_DT Swiss_JJ bank_NN; for_IN spare_JJ parts_NNS; from_IN the_DT Chinese_JJ partner_NN
person_phrases: from_IN the_DT tax_NN office_NN; with_IN two_CD telephones_NNS; in_IN the_DT grey_JJ suit_NN
tools: with_IN borrowed_VBN money_NN; with_IN the_DT help_NN of_IN a_DT rival_NN
"""
